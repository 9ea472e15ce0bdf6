import { sql } from 'kysely'
import type { EntityType, Property } from '../../../spec/language/index.js'
import type { Session } from '../engine/engine.js'
import type { SqlValue } from '../engine/sql-value.js'
import { storageOf, storedTypeOfProperty } from '../schema/storage.js'
import { idColumn, openColumn, type Table, versionColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { instantOf } from '../value/moment.js'
import { columnValue, keptProperties, openValue } from './item-values.js'
import { nextVersion } from './reserve-versions.js'
import { writeWords } from './write-words.js'

/**
 * Changes properties of an item, and what follows from a change: its stamps, its tag, its words.
 *
 * @param open what the item has beside its declared properties from now on; absent: that stays
 * @throws {InvalidValue} for a value that the store cannot keep
 * @throws {StoreError} when the item is no longer as unique as it must be
 */
export async function updateItem(
  store: Store,
  session: Session,
  type: EntityType,
  id: number,
  changes: ReadonlyMap<Property, unknown>,
  open?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const table = store.schema.tableOf(type)
  const { dialect } = store.engine
  const given = new Map(changes)
  for (const property of keptProperties(type)) {
    if (property.stamp === 'changed') given.set(property, `${instantOf(store.now())}Z`)
  }
  const values: Record<string, SqlValue> = {}
  const assignments = [...given].map(([property, value]) => {
    const { name } = table.columnOf(property)
    const encoded = columnValue(property, value, table, store)
    values[name] = encoded
    return sql`${sql.id(name)} = ${dialect.bind(encoded, storageOf(storedTypeOfProperty(property).kind))}`
  })
  if (open !== undefined) assignments.push(sql`${sql.id(openColumn)} = ${dialect.bind(openValue(open), 'text')}`)
  assignments.push(sql`${sql.id(versionColumn)} = ${dialect.bind(await nextVersion(store, session, table), 'integer')}`)
  const where = sql`${sql.id(idColumn)} = ${dialect.bind(id, 'integer')}`
  await session.run(store.engine.compile(sql`UPDATE ${sql.id(table.name)} SET ${sql.join(assignments)} WHERE ${where}`))
  await writeWords(store, session, table, id, values, false)
}

/** Gives an item a new tag, as its representation is no longer the one it was. */
export async function touchItem(store: Store, session: Session, table: Table, id: number): Promise<void> {
  const { bind } = store.engine.dialect
  const version = bind(await nextVersion(store, session, table), 'integer')
  await session.run(
    store.engine.compile(
      sql`UPDATE ${sql.id(table.name)} SET ${sql.id(versionColumn)} = ${version} WHERE ${sql.id(idColumn)} = ${bind(id, 'integer')}`,
    ),
  )
}
