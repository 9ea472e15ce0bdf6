import { planIndexes } from '../migrate/plan-indexes.js'
import type { Column, Table } from '../schema/store-schema.js'
import type { Store } from '../store.js'

/** Bytes of text that an entry of an index has room for: PostgreSQL takes entries of 2,704, with all that belongs to them. */
const roomOfEntry = 2560
/** Two in an entry at most: 320 characters of four bytes each. */
const longest = roomOfEntry / 2

const known = new WeakMap<Table, ReadonlyMap<string, number>>()

/**
 * The longest text, in bytes of UTF-8, that a column may have since it stands in an index; undefined: it stands in none.
 * The columns of an index share the room that there is. Both engines have the same limits, so that each takes what the
 * other takes.
 */
export function longestIndexed(column: string, table: Table, store: Store): number | undefined {
  let limits = known.get(table)
  if (limits === undefined) {
    limits = limitsOf(table, store)
    known.set(table, limits)
  }
  return limits.get(column)
}

function limitsOf(table: Table, { schema, service }: Store): ReadonlyMap<string, number> {
  const texts = new Set(table.columns.filter(isLongText).map(({ name }) => name))
  const limits = new Map<string, number>()
  for (const { columns } of planIndexes(table, schema, service)) {
    const found = columns.filter(name => texts.has(name))
    const limit = Math.min(longest, Math.floor(roomOfEntry / found.length))
    for (const name of found) limits.set(name, Math.min(limit, limits.get(name) ?? limit))
  }
  return limits
}

/** Guids, dates and the like are texts that cannot be long. */
function isLongText({ type }: Column): boolean {
  return type.kind === 'string' || type.kind === 'binary'
}
