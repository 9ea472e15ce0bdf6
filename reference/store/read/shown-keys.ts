import { sql } from 'kysely'
import type { ShownProperty } from '../../../runtime/server/response/shown-properties.js'
import type { Engine } from '../engine/engine.js'
import type { SqlValue } from '../engine/sql-value.js'
import { encodeValue } from '../value/column-codec.js'
import { keptProperties } from '../write/item-values.js'
import type { Scope } from './scope.js'
import type { SortKey } from './sort-order.js'

/** Reads a sort key from an item as it was sent. */
export type KeyReader = (item: Readonly<Record<string, unknown>>) => SqlValue | undefined

/**
 * What reads the sort keys that items show anyway, so that a page need not bring them along a second time; undefined for
 * those that they do not show.
 *
 * @param alias the name of the rows
 */
export function shownKeys(
  keys: readonly SortKey[],
  shown: readonly ShownProperty[],
  { table, type }: Scope,
  alias: string,
  { compile, dialect }: Engine,
): readonly (KeyReader | undefined)[] {
  const kept = new Map(keptProperties(type).map(property => [property.name, property]))
  const readers = new Map<string, KeyReader>()
  for (const { name, isBlank } of shown) {
    const property = kept.get(name)
    if (property === undefined || isBlank) continue
    const column = table.columnOf(property)
    const text = compile(sql`${sql.id(alias, column.name)}`).sql
    readers.set(text, item => encodeValue(item[name], column.type, dialect))
  }
  return keys.map(({ value }) => {
    const { sql: text, parameters } = compile(value)
    return parameters.length === 0 ? readers.get(text) : undefined
  })
}
