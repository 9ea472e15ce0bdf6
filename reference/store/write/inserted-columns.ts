import type { EntityType } from '../../../spec/language/index.js'
import { isOpen } from '../schema/open-members.js'
import { type Storage, storageOf, storedTypeOfProperty } from '../schema/storage.js'
import { openColumn, singletonColumn, type Table, typeColumn, versionColumn } from '../schema/store-schema.js'
import { keptProperties } from './item-values.js'

/** The columns that a new item of a type fills, all but `$id`. */
export function insertedColumns(
  table: Table,
  type: EntityType,
): readonly { readonly name: string; readonly storage: Storage }[] {
  return [
    { name: typeColumn, storage: 'text' },
    { name: versionColumn, storage: 'integer' },
    { name: singletonColumn, storage: 'text' },
    ...(isOpen(table) ? [{ name: openColumn, storage: 'text' as const }] : []),
    ...table.owners.map(({ name }) => ({ name, storage: 'integer' as const })),
    ...keptProperties(type).map(property => {
      return { name: table.columnOf(property).name, storage: storageOf(storedTypeOfProperty(property).kind) }
    }),
  ]
}
