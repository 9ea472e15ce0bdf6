import { sql } from 'kysely'
import type { OrderbyItem } from '../../runtime/query/index.js'
import { never } from '../conditions.js'
import {
  asSqlValue,
  type Dialect,
  type MaybePromise,
  mergeValues,
  Placeholder,
  type PlaceholderValues,
  type Session,
  type Sql,
  type SqlRow,
  type SqlValue,
  type Statement,
} from '../dialects/dialect.js'
import { isFloating } from '../filter/arithmetic.js'
import { compileOperand } from '../filter/expressions.js'
import { copied, type Frame } from '../filter/frame.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryEngine, QueryTarget } from '../query-target.js'
import { idColumn, type Table } from '../schema/schema.js'
import { type Storage, storageOf } from '../schema/stored-type.js'
import { encodeInteger } from '../values/codec.js'
import { decimalDigits } from '../values/sortable-decimal.js'
import { type ByteLimit, byteValues, firstByteLimit, withGuard } from './page-bytes.js'

export interface SortKey {
  readonly value: Sql
  readonly direction: 'asc' | 'desc'
  readonly storage: Storage
  readonly nullable: boolean
  /**
   * Whether ORDER BY places nulls explicitly. PostgreSQL uses an index only if both agree, even for columns that are never
   * null. Indexes of properties place nulls; indexes of the entity key alone do not.
   */
  readonly placesNull: boolean
}

/**
 * The sort keys of a total order: the requested keys, then the entity key in the direction of the last requested key, so that
 * one index scan gives the whole order.
 */
export function sortKeys(
  orderby: readonly OrderbyItem[],
  table: Table,
  alias: string,
  frame: Frame,
): readonly SortKey[] {
  const requested = orderby
    .flatMap(item => requestedKeys(item, frame))
    .map(key => (table.placesNulls || key.nullable ? key : { ...key, placesNull: false }))
  const direction = requested.at(-1)?.direction ?? 'asc'
  const placesNull = requested.length > 0
  const own = table.root.key.map((property): SortKey => {
    const { name, type, native } = table.columnOf(property)
    const ordered = orderedNative(native)
    const value = sql`${sql.id(alias, ordered?.name ?? name)}`
    const storage = ordered?.storage ?? storageOf(type.kind)
    return { value, direction, storage, nullable: false, placesNull: placesNull && table.placesNulls }
  })
  // Types without a key have singletons and lists only. Any total order will do.
  const only: SortKey = {
    value: sql`${sql.id(alias, idColumn)}`,
    direction,
    storage: table.idStorage,
    nullable: false,
    placesNull,
  }
  return [...requested, ...(own.length === 0 ? [only] : own)]
}

/** A sort key is selected, ordered by, and compared with the last item of the previous page. */
const copiesOfKey = 8

/** NaN sorts before all numbers and after null. Engines order it differently. */
export function requestedKeys({ expression, direction }: OrderbyItem, frame: Frame): readonly SortKey[] {
  const operand = compileOperand(expression, { ...copied(frame, copiesOfKey), option: '$orderby' })
  if (operand.kind === 'null') return []
  if (operand.kind !== 'scalar' || operand.type.kind === 'json') {
    throw unsupportedQuery('$orderby', 'Items can be ordered by single values only.')
  }
  const { nullable } = operand
  const common = { direction, nullable, placesNull: true }
  const storage =
    operand.type.kind === 'decimal' && operand.sortable === undefined ? 'decimal' : storageOf(operand.type.kind)
  const key: SortKey = { value: operand.sortable ?? operand.sql, storage, ...common }
  const native = orderedNative(operand.native)
  if (native !== undefined) return [{ ...key, value: native.sql, storage: native.storage }]
  if (!isFloating(operand)) return [key]
  const isNumber = sql`CASE WHEN ${operand.sql} IS NULL THEN NULL WHEN ${frame.dialect.isNaN(operand.sql)} THEN 0 ELSE 1 END`
  return [{ value: isNumber, storage: 'integer', ...common }, key]
}

/** The native form if its order is that of the values. */
function orderedNative<Native extends { readonly storage: Storage }>(native: Native | undefined): Native | undefined {
  return native?.storage === 'equalText' || native?.storage === 'untyped' ? undefined : native
}

/** Adds the sort keys that are not among the columns. Each column costs time on every row. */
export function withSortKeys(
  columns: readonly Sql[],
  keys: readonly SortKey[],
  { dialect, compile }: QueryEngine,
): { readonly columns: readonly Sql[]; readonly places: readonly number[] } {
  const all = [...columns]
  const texts = columns.map(column => compile(column).sql)
  const places = keys.map(key => {
    const exact = dialect.lossless(key.value, key.storage)
    const { sql: text, parameters } = compile(exact)
    const known = parameters.length === 0 ? texts.indexOf(text) : -1
    if (known >= 0) return known
    texts.push(text)
    return all.push(exact) - 1
  })
  return { columns: all, places }
}

/** The text of ORDER BY. */
export function orderSql(keys: readonly SortKey[], dialect: Dialect): Sql {
  return sql.join(
    keys.map(({ value, direction, placesNull }) => {
      const sign = direction === 'desc' ? sql` DESC` : sql``
      return placesNull ? sql`${value}${sign} ${dialect.nullOrder(direction)}` : sql`${value}${sign}`
    }),
  )
}

/** Whether a row comes after the row with the keys `after`. Each level starts with a condition that an index can seek. */
function afterCondition(keys: readonly SortKey[], after: readonly AfterValue[], index = 0): Sql {
  const key = keys[index]
  const value = after[index]
  if (key === undefined || value === undefined) return never
  if (isOneRange(keys, after, index)) return rowComparison(keys.slice(index), after.slice(index), key.direction)
  const rest = index + 1 < keys.length ? afterCondition(keys, after, index + 1) : never
  if (value.isNull) {
    const isNull = sql`(${key.value} IS NULL AND ${rest})`
    return key.direction === 'asc' ? sql`(${key.value} IS NOT NULL OR ${isNull})` : isNull
  }
  if (key.direction === 'asc') {
    const beyond = sql`${key.value} > ${value.bound}`
    return rest === never ? beyond : sql`(${key.value} >= ${value.bound} AND (${beyond} OR ${rest}))`
  }
  const beyond = sql`${key.value} < ${value.bound}`
  const here = rest === never ? beyond : sql`(${key.value} <= ${value.bound} AND (${beyond} OR ${rest}))`
  return key.nullable ? sql`(${here} OR ${key.value} IS NULL)` : here
}

/**
 * Whether the rows after the given keys are one range of an index: all keys have the same direction, and none of them is
 * null.
 */
function isOneRange(keys: readonly SortKey[], after: readonly AfterValue[], from: number): boolean {
  const direction = keys[from]?.direction
  const fits = (key: SortKey): boolean => key.direction === direction && (direction === 'asc' || !key.nullable)
  return keys.length > from + 1 && keys.slice(from).every(fits) && !after.slice(from).some(value => value.isNull)
}

/** Compares the keys as a row value, which both engines look up in an index. */
function rowComparison(keys: readonly SortKey[], after: readonly AfterValue[], direction: SortKey['direction']): Sql {
  const sign = direction === 'asc' ? sql`>` : sql`<`
  return sql`(${sql.join(keys.map(key => key.value))}) ${sign} (${sql.join(after.map(value => value.bound))})`
}

/** Reads a value from a token. An integer can have more digits than a JavaScript number. */
function afterValue(storage: Storage, dialect: Dialect): (value: unknown) => SqlValue {
  // The token can be older than a move of the data from SQLite.
  if (storage === 'exact' && dialect.name === 'postgres') return value => asSqlValue(decimalDigits(value))
  if (storage !== 'integer') return asSqlValue
  return value => encodeInteger(value) ?? asSqlValue(value)
}

/** The value of one key in the last row of the previous page. */
interface AfterValue {
  readonly isNull: boolean
  readonly bound: Sql
}

/**
 * The conditions for the rows after a given row, in order. If the first key can be null, each part is one range of an index,
 * but their union is not.
 */
function afterConditions(keys: readonly SortKey[], after: readonly AfterValue[]): readonly Sql[] {
  const [key] = keys
  const [value] = after
  if (key === undefined || value === undefined || !key.nullable) return [afterCondition(keys, after)]
  const rest = keys.length > 1 ? afterCondition(keys, after, 1) : never
  if (value.isNull) {
    const amongNulls = sql`${key.value} IS NULL AND ${rest}`
    return key.direction === 'asc' ? [amongNulls, sql`${key.value} IS NOT NULL`] : [amongNulls]
  }
  if (key.direction === 'asc') return [afterCondition(keys, after)]
  const notNull = afterCondition([{ ...key, nullable: false }, ...keys.slice(1)], after)
  return [notNull, sql`${key.value} IS NULL`]
}

/** Which part of the items to read. */
export interface PageRequest {
  /** The sort keys of the last item of the previous page; undefined: start at the first item, or after `skip`. */
  readonly after: readonly unknown[] | undefined
  readonly skip: number
  /** The maximum number of items; undefined: no limit. */
  readonly limit: number | undefined
  /** The bytes of the items; undefined: no limit. A page has at least one item. */
  readonly bytes: number | undefined
}

/** The rows of pages. */
interface PageRows {
  readonly select: (rest: Sql, limit: ByteLimit) => Sql
  /** The number of items in some rows. */
  readonly itemsOf: (rows: readonly SqlRow[]) => number
  /** The bytes of the page up to the last of these rows; undefined if they are not known. */
  readonly totalOf: (rows: readonly SqlRow[]) => number | undefined
  readonly maxRowBytes: number
}

/** Reads the rows of a page. A limited page has one additional row if more items follow. */
export type RowReader = (
  session: Session,
  values: PlaceholderValues,
  request: PageRequest,
) => MaybePromise<readonly SqlRow[]>

const limitPlaceholder = 'limit'
const skipPlaceholder = 'skip'

function afterPlaceholder(index: number): string {
  return `after ${index}`
}

/**
 * Prepares to read the pages of a query.
 *
 * @param rows.select selects the rows; `rest` follows the conditions of the query: more conditions, the order and the limit.
 * `limit` says how it limits their bytes.
 */
export function pageReader(keys: readonly SortKey[], shape: PageRows, store: QueryTarget): RowReader {
  const { select, itemsOf, totalOf, maxRowBytes } = shape
  const statements = pageStatements(keys, select, store)
  const behind = async (
    session: Session,
    values: PlaceholderValues,
    after: readonly unknown[],
    most: number | undefined,
    bytes: number | undefined,
  ): Promise<readonly SqlRow[]> => {
    let rows: readonly SqlRow[] = []
    const bound = mergeValues(values, Object.fromEntries(after.map((value, index) => [afterPlaceholder(index), value])))
    const nulls = after.map(value => value === null)
    const way = firstByteLimit(bytes !== undefined, store.engine.dialect)
    const parts = statements.after(nulls, most !== undefined, way).length
    for (let part = 0; part < parts; part++) {
      const left = most === undefined ? undefined : most - itemsOf(rows)
      const spent = totalOf(rows) ?? 0
      if (left === 0 || (bytes !== undefined && spent >= bytes)) break
      const limits = bytes === undefined ? {} : byteValues(bytes, spent, left ?? Number.POSITIVE_INFINITY)
      const all = mergeValues(bound, { [limitPlaceholder]: left ?? null, ...limits })
      const found = await withGuard(way, limit => {
        const statement = statements.after(nulls, most !== undefined, limit)[part]
        return statement === undefined ? [] : session.all(statement, all)
      })
      rows = rows.concat(found)
    }
    return rows
  }
  return (session, values, { after, skip, limit, bytes: given }) => {
    const most = limit === undefined ? undefined : limit + 1
    const bytes = given !== undefined && (most ?? Number.POSITIVE_INFINITY) * maxRowBytes > given ? given : undefined
    if (after !== undefined) return behind(session, values, after, most, bytes)
    const cut: Readonly<Record<typeof skipPlaceholder | typeof limitPlaceholder, unknown>> = {
      skip,
      limit: most ?? null,
    }
    const isWhole = skip === 0 && most === undefined
    const rowsOf = (limit: ByteLimit, given: PlaceholderValues): MaybePromise<readonly SqlRow[]> =>
      session.all(statements.first(skip > 0, most !== undefined, limit), given)
    const bound = isWhole ? values : mergeValues(values, cut)
    if (bytes === undefined) return rowsOf('none', bound)
    const limited = mergeValues(bound, byteValues(bytes, 0, most ?? Number.POSITIVE_INFINITY))
    return withGuard(firstByteLimit(true, store.engine.dialect), limit => rowsOf(limit, limited))
  }
}

interface PageStatements {
  readonly first: (skips: boolean, limited: boolean, byteLimit: ByteLimit) => Statement
  /** Several statements if the first key can be null. Run them in order. */
  readonly after: (nulls: readonly boolean[], limited: boolean, byteLimit: ByteLimit) => readonly Statement[]
}

function pageStatements(keys: readonly SortKey[], select: PageRows['select'], { engine }: QueryTarget): PageStatements {
  const { dialect } = engine
  const known = new Map<string, readonly Statement[]>()
  const firsts: (Statement | undefined)[] = []
  const cachedStatements = (name: string, make: () => readonly Statement[]): readonly Statement[] => {
    const statements = known.get(name) ?? make()
    known.set(name, statements)
    return statements
  }
  const order = sql`ORDER BY ${orderSql(keys, dialect)}`
  const limit = dialect.limit(dialect.bind(new Placeholder(limitPlaceholder), 'integer'))
  const offset = sql`OFFSET ${dialect.bind(new Placeholder(skipPlaceholder), 'integer')}`
  const { endless } = dialect
  const first = (skips: boolean, limited: boolean, byteLimit: ByteLimit): Statement => {
    // Without a limit, SQLite would drop the order of a subquery.
    const cut = limited ? limit : skips || byteLimit !== 'none' ? endless : sql``
    return engine.compile(select(sql`${order} ${cut} ${skips ? offset : sql``}`, byteLimit))
  }
  return {
    first: (skips, limited, byteLimit) => {
      const place = (skips ? 1 : 0) + (limited ? 2 : 0) + (byteLimit === 'none' ? 0 : byteLimit === 'exact' ? 4 : 8)
      const statement = firsts[place] ?? first(skips, limited, byteLimit)
      firsts[place] = statement
      return statement
    },
    after: (nulls, limited, byteLimit) =>
      cachedStatements(`behind ${nulls.join()} ${limited} ${byteLimit}`, () => {
        const after = keys.map(({ storage }, index): AfterValue => {
          return {
            isNull: nulls[index] === true,
            bound: dialect.bind(new Placeholder(afterPlaceholder(index), afterValue(storage, dialect)), storage),
          }
        })
        return afterConditions(keys, after).map(part =>
          engine.compile(
            select(sql`AND ${part} ${order} ${limited ? limit : byteLimit === 'none' ? sql`` : endless}`, byteLimit),
          ),
        )
      }),
  }
}
