import { sql } from 'kysely'
import type { ShownProperty } from '../../../runtime/server/response/shown-properties.js'
import type { Sql } from '../dialect/dialect.js'
import { jsonWriting } from '../dialect/json-writing.js'
import type { Session } from '../engine/engine.js'
import type { SlotValues, SqlRow } from '../engine/sql-value.js'
import { idColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { isObject } from '../value/json-object.js'
import { itemText } from './item-text.js'
import { type PageWanted, pageReader } from './page-statements.js'
import type { Scope } from './scope.js'
import { type KeyReader, shownKeys } from './shown-keys.js'
import type { SortKey } from './sort-order.js'

/** Some items, in order, as they are sent. */
export interface TextPage {
  /** A JSON array. */
  readonly text: string
  /** How many items it has. */
  readonly length: number
  /** Sort keys of the last item, when others stand behind it. */
  readonly last: readonly unknown[] | undefined
}

/** Reads pages as text. */
export type TextPageReader = (session: Session, values: SlotValues, wanted: PageWanted) => Promise<TextPage>

const [countCell, itemsCell, keysCell] = [0, 1, 2]

/**
 * Prepares to read pages whose items the engine writes as JSON. Undefined: it cannot write these.
 *
 * @param from the rows of the query, named `alias`: FROM and WHERE
 */
export function textPageReader(
  scope: Scope,
  shown: readonly ShownProperty[],
  keys: readonly SortKey[],
  { from, alias }: { readonly from: Sql; readonly alias: string },
  store: Store,
): TextPageReader | undefined {
  const writing = jsonWriting(store.engine.dialect)
  const item = writing === undefined ? undefined : itemText(scope, shown, alias, writing)
  // A fraction that loses a digit on its way would be another place.
  const isExact = keys.every(({ storage }) => storage !== 'decimal' && storage !== 'double')
  if (writing === undefined || item === undefined || !isExact) return undefined
  const id = sql`${sql.id(alias, idColumn)}`
  const readers = shownKeys(keys, shown, scope, alias, store.engine)
  const carried = keys.filter((_, index) => readers[index] === undefined)
  const names = carried.map((_, index) => sql`${sql.id(`key${index}`)}`)
  const columns = [sql`${id} AS "id"`, ...carried.map(({ value }, index) => sql`${value} AS ${names[index]}`)]
  const cells = [sql`count(*)`, writing.lines(item)]
  if (carried.length > 0) cells.push(writing.lines(writing.list(names)))
  // Only the rows of the page are written, not all that are sorted to find it.
  const select = (rest: Sql): Sql =>
    sql`SELECT ${sql.join(cells)} FROM (SELECT ${sql.join(columns)} ${from} ${rest}) AS "page"
      CROSS JOIN ${sql.id(scope.table.name)} AS ${sql.id(alias)} WHERE ${id} = "page"."id"`
  const read = pageReader(keys, select, lengthOf, store)
  return async (session, values, wanted) => {
    const rows = await read(session, values, wanted)
    const found = lengthOf(rows)
    const hasMore = wanted.limit !== undefined && found > wanted.limit
    const length = hasMore ? found - 1 : found
    const lines = linesOf(rows, itemsCell)
    const items = lines.split('\n')
    if (hasMore) items.pop()
    const lastItem = hasMore ? items.at(-1) : undefined
    return {
      text: lines === '' ? '[]' : `[${items.join(',')}]`,
      length,
      last: lastItem === undefined ? undefined : placeOf(lastItem, carriedValues(linesOf(rows, keysCell)), readers),
    }
  }
}

function lengthOf(rows: readonly SqlRow[]): number {
  return rows.reduce((sum, row) => sum + Number(row[countCell]), 0)
}

/** The lines of a cell of all rows: of one row, but for pages that go on behind a null. */
function linesOf(rows: readonly SqlRow[], cell: number): string {
  let lines = ''
  for (const row of rows) {
    const own = row[cell]
    if (typeof own === 'string') lines = lines === '' ? own : `${lines}\n${own}`
  }
  return lines
}

/** The sort keys of an item: those that it shows, and the others. */
function placeOf(
  text: string,
  carried: readonly unknown[],
  readers: readonly (KeyReader | undefined)[],
): readonly unknown[] {
  const item: unknown = JSON.parse(text)
  const others = carried.values()
  return readers.map(read => (read === undefined ? others.next().value : read(isObject(item) ? item : {})))
}

/** The keys in the last line but one: the last is of no item of the page. */
function carriedValues(lines: string): readonly unknown[] {
  if (lines === '') return []
  const end = lines.lastIndexOf('\n')
  const keys: unknown = JSON.parse(lines.slice(lines.lastIndexOf('\n', end - 1) + 1, end))
  return Array.isArray(keys) ? keys : [keys]
}
