import { sql } from 'kysely'
import { JsonText, parseExactJson, type ReturnedProperty } from '../../runtime/server/index.js'
import { derivesFrom } from '../../spec/language/index.js'
import type {
  JsonWriter,
  MaybePromise,
  PlaceholderValues,
  Session,
  Sql,
  SqlRow,
  SqlValue,
} from '../dialects/dialect.js'
import type { QueryEngine, QueryTarget } from '../query-target.js'
import { idColumn, versionColumn } from '../schema/schema.js'
import { storedProperties } from '../schema/stored-type.js'
import { encodeValue, isObject } from '../values/codec.js'
import { type PageRequest, pageReader, type SortKey } from './keyset-pagination.js'
import {
  type ByteLimit,
  joinedToTable,
  maxRowBytes,
  pageGuard,
  rowBytes,
  type SizedColumn,
  totalBytes,
  withinBytes,
} from './page-bytes.js'
import type { Scope } from './scope.js'

/** Some items in order, as JSON text. */
export interface JsonPage {
  /** A JSON array. */
  readonly json: string
  /** The number of items. */
  readonly length: number
  /** The sort keys of the last item, if more items follow. */
  readonly last: readonly unknown[] | undefined
}

export type JsonPageReader = (
  session: Session,
  values: PlaceholderValues,
  request: PageRequest,
) => MaybePromise<JsonPage>

const [countCell, itemsCell, totalCell, keysCell] = [0, 1, 2, 3]

/** JSON on one line contains no line feed. */
const lineFeed = '\n'

/**
 * Prepares to read pages that the engine writes as JSON; undefined if it cannot write these items.
 *
 * @param source.from FROM and WHERE of the query; its rows are named `alias`
 */
export function jsonPageReader(
  scope: Scope,
  shown: readonly ReturnedProperty[],
  keys: readonly SortKey[],
  { from, alias, sized }: { readonly from: Sql; readonly alias: string; readonly sized: readonly SizedColumn[] },
  store: QueryTarget,
): JsonPageReader | undefined {
  const writing = store.engine.dialect.jsonWriter
  const item = writing === undefined ? undefined : itemJson(scope, shown, alias, writing)
  // A fraction might lose a digit in JSON, and the page would continue at a different place.
  const isExact = keys.every(({ storage }) => storage !== 'decimal' && storage !== 'exact' && storage !== 'double')
  if (writing === undefined || item === undefined || !isExact) return undefined
  const id = sql`${sql.id(alias, idColumn)}`
  const readers = keyReaders(keys, shown, scope, alias, store.engine)
  const carried = keys.filter((_, index) => readers[index] === undefined)
  const names = carried.map((_, index) => sql`${sql.id(`key${index}`)}`)
  const columns = [sql`${id} AS "id"`, ...carried.map(({ value }, index) => sql`${value} AS ${names[index]}`)]
  const between = `${item.close},${item.open}`
  const separator = item.isFlat ? between : lineFeed
  const cells = [sql`count(*)`, writing.aggregate(item.inner, separator)]
  const keyCells = carried.length > 0 ? [writing.aggregate(writing.array(names), lineFeed)] : []
  // Write JSON for the rows of the page only, not for all rows that are sorted.
  const { dialect } = store.engine
  const select = (rest: Sql, limit: ByteLimit): Sql => {
    const total = limit === 'exact' ? sql`max("page"."total")` : sql`NULL`
    const size = limit === 'exact' ? [sql`${rowBytes(sized, alias)} AS "size"`] : []
    const all = sql`SELECT ${sql.join([...columns, ...size])} ${from} ${rest}`
    const page = limit === 'exact' ? withinBytes(all, [sql.id('id'), ...names], dialect) : all
    const shown = sql`SELECT ${sql.join([...cells, total, ...keyCells])}`
    const joined = joinedToTable(shown, page, scope.table.name, alias)
    return limit === 'guarded' ? sql`${joined} AND ${pageGuard(sized, alias, dialect)}` : joined
  }
  const totalOf = (rows: readonly SqlRow[]): number | undefined => totalBytes(rows, totalCell)
  const read = pageReader(keys, { select, itemsOf: lengthOf, totalOf, maxRowBytes: maxRowBytes(sized) }, store)
  const place = lastKeysReader(readers)
  const page = (rows: readonly SqlRow[], { limit, bytes }: PageRequest): JsonPage => {
    const found = lengthOf(rows)
    const hasExtra = limit !== undefined && found > limit
    const hasMore = hasExtra || (bytes !== undefined && (totalOf(rows) ?? 0) >= bytes)
    const length = hasExtra ? found - 1 : found
    if (length === 0) return { json: '[]', length, last: undefined }
    const all = textOf(rows, itemsCell, separator)
    const items = hasExtra ? all.slice(0, all.lastIndexOf(separator)) : all
    const inner = item.isFlat ? items : items.split(lineFeed).join(between)
    const text = `[${item.open}${inner}${item.close}]`
    if (!hasMore) return { json: text, length, last: undefined }
    const last = length === 1 ? items : items.slice(items.lastIndexOf(separator) + separator.length)
    return {
      json: text,
      length,
      last: place(item.open + last + item.close, textOf(rows, keysCell, lineFeed), hasExtra),
    }
  }
  return (session, values, request) => {
    const rows = read(session, values, request)
    return rows instanceof Promise ? rows.then(all => page(all, request)) : page(rows, request)
  }
}

function lengthOf(rows: readonly SqlRow[]): number {
  return rows.reduce((sum, row) => sum + Number(row[countCell]), 0)
}

/** The text of a cell in all rows. There is one row, except on pages that continue across nulls. */
function textOf(rows: readonly SqlRow[], cell: number, separator: string): string {
  let text: string | undefined
  for (const row of rows) {
    const own = row[cell]
    if (typeof own === 'string') text = text === undefined ? own : text + separator + own
  }
  return text ?? ''
}

/** The maximum length of an item whose sort keys are cached. */
const maxCachedLength = 4096

/**
 * Reads the sort keys of an item from its JSON or, if it does not show them, from the extra keys. The same page gives the
 * same list.
 */
function lastKeysReader(
  readers: readonly (KeyReader | undefined)[],
): (text: string, carried: string, hasExtra: boolean) => readonly unknown[] {
  let known: { readonly text: string; readonly carried: string; readonly place: readonly unknown[] } | undefined
  return (text, carried, hasExtra) => {
    if (known?.text === text && known.carried === carried) return known.place
    const item = parseExactJson(text)
    const others = carriedValues(carried, hasExtra).values()
    const place = readers.map(read => (read === undefined ? others.next().value : read(isObject(item) ? item : {})))
    known = text.length > maxCachedLength ? undefined : { text, carried, place }
    return place
  }
}

/** The keys on the last line of the page. With `hasExtra`, one more line belongs to the next page. */
function carriedValues(lines: string, hasExtra: boolean): readonly unknown[] {
  if (lines === '') return []
  const end = hasExtra ? lines.lastIndexOf(lineFeed) : lines.length
  const keys = parseExactJson(lines.slice(lines.lastIndexOf(lineFeed, end - 1) + 1, end))
  // An integer with more digits than a number is bound as text.
  return (Array.isArray(keys) ? keys : [keys]).map((key: unknown) => (key instanceof JsonText ? key.text : key))
}

/** The JSON of an item. The engine writes only what differs between items, without the common start and end. */
interface ItemJson {
  readonly open: string
  readonly inner: Sql
  readonly close: string
  /**
   * Whether an item contains no objects and arrays. Then `close`, a comma and `open` cannot occur inside it: the first
   * quotation mark after the brace would begin a name, follow a backslash or end a string, and no name follows a string.
   */
  readonly isFlat: boolean
}

/**
 * The JSON of an item, the row named `alias`; undefined if it needs more than the values of its columns, or the engine cannot
 * write them.
 */
function itemJson(
  { table, type }: Scope,
  shown: readonly ReturnedProperty[],
  alias: string,
  writing: JsonWriter,
): ItemJson | undefined {
  const [only, ...others] = table.types.filter(candidate => derivesFrom(candidate, type))
  if (only !== type || others.length > 0 || type.open) return undefined
  const members: (readonly Part[])[] = []
  if (type.entityTag !== 'none') {
    members.push([
      `"@odata.etag":"${type.entityTag === 'weak' ? 'W/' : ''}\\"`,
      sql`${sql.id(alias, versionColumn)}`,
      '\\""',
    ])
  }
  let isFlat = true
  const kept = new Map(storedProperties(type).map(property => [property.name, property]))
  for (const { name, below = [], sentAsNull: isBlank } of shown) {
    const property = kept.get(name)
    const label = `${JSON.stringify(name)}:`
    if (isBlank) {
      members.push([`${label}null`])
      continue
    }
    if (property === undefined || below.length > 0) return undefined
    const column = table.columnOf(property)
    const value = writing.value(sql`${sql.id(alias, column.name)}`, column.type)
    if (value === undefined) return undefined
    if (column.type.kind === 'json') isFlat = false
    members.push([label, value])
  }
  const { open, inner, close } = merged(members)
  if (inner.length > writing.maxConcat) return undefined
  return { open, inner: writing.concat(inner), close, isFlat }
}

/** JSON that is the same in all items, or SQL for what differs. */
type Part = string | Sql

interface Merged extends Pick<ItemJson, 'open' | 'close'> {
  readonly inner: readonly Sql[]
}

/** Merges the members into one object. Adjacent texts become one. */
function merged(members: readonly (readonly Part[])[]): Merged {
  const inner: Sql[] = []
  let open: string | undefined
  let text = '{'
  for (const part of members.flatMap((member, index) => (index === 0 ? member : [',', ...member]))) {
    if (typeof part === 'string') text += part
    else {
      if (open === undefined) open = text
      else inner.push(sql.lit(text))
      inner.push(part)
      text = ''
    }
  }
  if (open !== undefined) return { open, inner, close: `${text}}` }
  return { open: text, inner: [sql.lit('')], close: '}' }
}

/** A key as tokens have it. */
function keyOf(value: SqlValue | undefined): SqlValue | undefined {
  return typeof value === 'bigint' ? String(value) : value
}

/** Reads a sort key from the JSON of an item. */
type KeyReader = (item: Readonly<Record<string, unknown>>) => SqlValue | undefined

/**
 * Readers for the sort keys that the items show, so that a page need not contain them twice; undefined for keys that the
 * items don't show.
 *
 * @param alias the name of the rows
 */
function keyReaders(
  keys: readonly SortKey[],
  shown: readonly ReturnedProperty[],
  { table, type }: Scope,
  alias: string,
  { compile, dialect }: QueryEngine,
): readonly (KeyReader | undefined)[] {
  const kept = new Map(storedProperties(type).map(property => [property.name, property]))
  const readers = new Map<string, KeyReader>()
  for (const { name, sentAsNull: isBlank } of shown) {
    const property = kept.get(name)
    if (property === undefined || isBlank) continue
    const column = table.columnOf(property)
    const text = compile(sql`${sql.id(alias, column.name)}`).sql
    readers.set(text, item => keyOf(encodeValue(item[name], column.type, dialect)))
  }
  return keys.map(({ value }) => {
    const { sql: text, parameters } = compile(value)
    return parameters.length === 0 ? readers.get(text) : undefined
  })
}
