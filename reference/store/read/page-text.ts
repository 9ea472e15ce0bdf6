import { sql } from 'kysely'
import type { ShownProperty } from '../../../runtime/server/response/shown-properties.js'
import type { Sql } from '../dialect/dialect.js'
import { jsonWriting } from '../dialect/json-writing.js'
import type { Answer, Session } from '../engine/engine.js'
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
export type TextPageReader = (session: Session, values: SlotValues, wanted: PageWanted) => Answer<TextPage>

const [countCell, itemsCell, keysCell] = [0, 1, 2]

/** JSON in one line has none. */
const lineFeed = '\n'

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
  const between = `${item.close},${item.open}`
  const separator = item.isFlat ? between : lineFeed
  const cells = [sql`count(*)`, writing.all(item.inner, separator)]
  if (carried.length > 0) cells.push(writing.all(writing.list(names), lineFeed))
  // Only the rows of the page are written, not all that are sorted to find it.
  const select = (rest: Sql): Sql =>
    sql`SELECT ${sql.join(cells)} FROM (SELECT ${sql.join(columns)} ${from} ${rest}) AS "page"
      CROSS JOIN ${sql.id(scope.table.name)} AS ${sql.id(alias)} WHERE ${id} = "page"."id"`
  const read = pageReader(keys, select, lengthOf, store)
  const place = placeReader(readers)
  const page = (rows: readonly SqlRow[], limit: number | undefined): TextPage => {
    const found = lengthOf(rows)
    const hasMore = limit !== undefined && found > limit
    const length = hasMore ? found - 1 : found
    if (length === 0) return { text: '[]', length, last: undefined }
    const all = textOf(rows, itemsCell, separator)
    const items = hasMore ? all.slice(0, all.lastIndexOf(separator)) : all
    const inner = item.isFlat ? items : items.split(lineFeed).join(between)
    const text = `[${item.open}${inner}${item.close}]`
    if (!hasMore) return { text, length, last: undefined }
    const last = length === 1 ? items : items.slice(items.lastIndexOf(separator) + separator.length)
    return { text, length, last: place(item.open + last + item.close, textOf(rows, keysCell, lineFeed)) }
  }
  return (session, values, wanted) => {
    const rows = read(session, values, wanted)
    return rows instanceof Promise ? rows.then(all => page(all, wanted.limit)) : page(rows, wanted.limit)
  }
}

function lengthOf(rows: readonly SqlRow[]): number {
  return rows.reduce((sum, row) => sum + Number(row[countCell]), 0)
}

/** The text of a cell of all rows: of one row, but for pages that go on behind a null. */
function textOf(rows: readonly SqlRow[], cell: number, separator: string): string {
  let text: string | undefined
  for (const row of rows) {
    const own = row[cell]
    if (typeof own === 'string') text = text === undefined ? own : text + separator + own
  }
  return text ?? ''
}

/** Characters of the longest item whose place is remembered. */
const longestKnown = 4096

/**
 * Tells the sort keys of an item: those that it shows, and those that were carried along. Who asks for the same page again
 * gets the same list.
 */
function placeReader(
  readers: readonly (KeyReader | undefined)[],
): (text: string, carried: string) => readonly unknown[] {
  let known: { readonly text: string; readonly carried: string; readonly place: readonly unknown[] } | undefined
  return (text, carried) => {
    if (known?.text === text && known.carried === carried) return known.place
    const item: unknown = JSON.parse(text)
    const others = carriedValues(carried).values()
    const place = readers.map(read => (read === undefined ? others.next().value : read(isObject(item) ? item : {})))
    known = text.length > longestKnown ? undefined : { text, carried, place }
    return place
  }
}

/** The keys in the last line but one: the last is of no item of the page. */
function carriedValues(lines: string): readonly unknown[] {
  if (lines === '') return []
  const end = lines.lastIndexOf(lineFeed)
  const keys: unknown = JSON.parse(lines.slice(lines.lastIndexOf(lineFeed, end - 1) + 1, end))
  return Array.isArray(keys) ? keys : [keys]
}
