import { sql } from 'kysely'
import type { ServiceTable } from '../../runtime/server/index.js'
import type { ComplexType, Property, ValueType } from '../../spec/language/index.js'
import {
  type Dialect,
  Placeholder,
  type PlaceholderValues,
  type Sql,
  type SqlRow,
  StoreError,
} from '../dialects/dialect.js'
import { idColumn } from '../schema/schema.js'
import { storageOf, storedTypeOfProperty } from '../schema/stored-type.js'

// A page is limited in bytes. The engine adds up the sizes of its rows, which it knows without reading long values, and leaves
// out the rows after the one that exceeds the limit. So the values of these rows are never read.
//
// On SQLite, this takes a quarter of the time of a page. So the page is read with a guard first, which costs next to nothing:
// it counts the long rows only, and ends the statement if they are too long.

/** How a statement limits the bytes of its rows. */
export type ByteLimit = 'none' | 'guarded' | 'exact'

/** The first way to try. `exact` follows if a statement with a guard fails with `pageTooLarge`. */
export function firstByteLimit(isLimited: boolean, dialect: Dialect): ByteLimit {
  // MySQL does not keep the order of a subquery, in which the bytes would be added up.
  if (!isLimited || dialect.name === 'mysql') return 'none'
  return dialect.name === 'sqlite' ? 'guarded' : 'exact'
}

/** Runs a statement that limits bytes, and again without the guard if that stops it. */
export function withGuard<Value>(limit: ByteLimit, read: (limit: ByteLimit) => Value): Value {
  try {
    return read(limit)
  } catch (error) {
    if (limit === 'guarded' && error instanceof StoreError && error.kind === 'pageTooLarge') return read('exact')
    throw error
  }
}

/** The columns whose values make up the size of a row. */
export interface SizedColumn {
  readonly name: string
  /** Undefined: the undeclared properties of an open type. */
  readonly property: Property | undefined
}

/** The bytes of a value that is not long: a number, a date, a Guid. */
const shortValue = 40
/** UTF-8. Binary values are stored as base64url, which is shorter. */
const bytesPerCharacter = 4

/** The most bytes that a row can have; infinite if a value can have any length. */
export function maxRowBytes(columns: readonly SizedColumn[]): number {
  return columns.reduce(
    (sum, { property }) => sum + (property === undefined ? Number.POSITIVE_INFINITY : maxValueBytes(property)),
    0,
  )
}

function maxValueBytes(property: Property): number {
  const { type, collection } = property
  const single = maxSingleBytes(type, property)
  return collection ? (property.maxItems ?? Number.POSITIVE_INFINITY) * (single + 1) + 2 : single
}

function maxSingleBytes(type: ValueType, { maxLength }: { readonly maxLength?: number }): number {
  switch (type.kind) {
    case 'primitive':
    case 'typeDefinition': {
      const name = type.kind === 'primitive' ? type.name : type.underlying
      if (name.startsWith('Geo')) return Number.POSITIVE_INFINITY
      if (name !== 'String' && name !== 'Binary') return shortValue
      const most = maxLength ?? (type.kind === 'typeDefinition' ? type.maxLength : undefined)
      return (most ?? Number.POSITIVE_INFINITY) * bytesPerCharacter + 2
    }
    case 'enumType':
      return shortValue
    case 'complexType':
      return maxComplexBytes(type)
    case 'entityType':
      return Number.POSITIVE_INFINITY
  }
}

/** An open or derived value can have other properties; a recursive one any depth. */
function maxComplexBytes(type: ComplexType): number {
  if (type.open || type.properties.some(({ type: inner }) => inner.kind === 'complexType'))
    return Number.POSITIVE_INFINITY
  return type.properties.reduce((sum, each) => sum + each.name.length + shortValue + maxValueBytes(each), 2)
}

/** The bytes of the long values of a row. */
export function rowBytes(columns: readonly SizedColumn[], alias: string): Sql {
  const long = columns.filter(
    ({ property }) => property === undefined || storageOf(storedTypeOfProperty(property).kind) === 'text',
  )
  const sizes = long.map(({ name }) => sql`coalesce(octet_length(${sql.id(alias, name)}), 0)`)
  return sizes.length === 0 ? sql.lit(0) : sql.join(sizes, sql` + `)
}

/** The bytes that one response may have, and those of the parts of the page that were read before. */
const bytesPlaceholder = 'bytes'
const spentPlaceholder = 'spent'
/** The bytes of a row that a guard need not count, and those of all others. */
const shortPlaceholder = 'short'
const longPlaceholder = 'long'

/** The values of the placeholders of a statement that reads no more than `most` rows. */
export function byteValues(limit: number, spent: number, most: number): PlaceholderValues {
  const half = Math.max(0, Math.floor((limit - spent) / 2))
  const all: Record<
    typeof bytesPlaceholder | typeof spentPlaceholder | typeof shortPlaceholder | typeof longPlaceholder,
    number
  > = { bytes: limit, spent, short: Math.floor(half / most), long: half }
  return all
}

/** Columns whose values have at most so many bytes do not count for a guard. */
const maxShortBytes = 2_048

/** Ends the statement if the rows are too long. It is true for each row. */
export function pageGuard(columns: readonly SizedColumn[], alias: string, { bind }: Dialect): Sql {
  const counted = columns.filter(({ property }) => property === undefined || maxValueBytes(property) > maxShortBytes)
  const size = rowBytes(counted, alias)
  const short = bind(new Placeholder(shortPlaceholder), 'integer')
  const long = bind(new Placeholder(longPlaceholder), 'integer')
  return sql`CASE WHEN ${size} > ${short} THEN within_page(${size}, ${long}) ELSE 1 END`
}

/**
 * The rows of a page up to the one that exceeds the limit: the given columns, then `total`, the bytes up to this row.
 *
 * @param rows SELECT with the given columns and `size`, in order
 */
export function withinBytes(rows: Sql, names: readonly Sql[], { bind }: Dialect): Sql {
  const columns = sql.join(names)
  const spent = bind(new Placeholder(spentPlaceholder), 'integer')
  const limit = bind(new Placeholder(bytesPlaceholder), 'integer')
  const total = sql`${spent} + sum("size") OVER (ROWS UNBOUNDED PRECEDING) AS "total"`
  return sql`SELECT ${columns}, "total" FROM (SELECT ${columns}, "size", ${total} FROM (${rows}) AS "sized") AS "summed"
    WHERE "total" - "size" < ${limit}`
}

/** A column of a SELECT. */
export interface NamedColumn {
  readonly name: string
  readonly value: Sql
}

export function namedColumn({ name, value }: NamedColumn): Sql {
  return sql`${value} AS ${sql.id(name)}`
}

/** What a page of rows is read from. */
interface SizedRows {
  readonly table: string
  readonly alias: string
  readonly sized: readonly SizedColumn[]
  /** Whether the table cannot be joined to its rows by name. */
  readonly isMapped?: boolean
  /** SELECT of these columns, in order. */
  readonly select: (columns: readonly NamedColumn[]) => Sql
}

/**
 * The given columns of the rows up to the one that exceeds the limit, and `total` unless a guard ends the statement there.
 *
 * @param own columns that are not of the table
 * @param columns columns of the table
 */
export function limitedRows(
  own: readonly NamedColumn[],
  columns: readonly Sql[],
  { table, alias, sized, isMapped = false, select }: SizedRows,
  limit: Exclude<ByteLimit, 'none'>,
  dialect: Dialect,
): Sql {
  const size = { name: 'size', value: rowBytes(sized, alias) }
  // PostgreSQL passes on long values without reading them. SQLite would copy them, so that it joins the rows again. It keeps
  // the order of the page; PostgreSQL would have to sort, and often plans to scan the table.
  if (dialect.name !== 'sqlite' || isMapped) {
    const all = [...own, ...columns.map((value, index) => ({ name: `c${index}`, value }))]
    const names = all.map(({ name }) => sql.id(name))
    return withinBytes(select([...all, size]), names, dialect)
  }
  const id = { name: 'id', value: sql`${sql.id(alias, idColumn)}` }
  const names = [...own, id].map(({ name }) => sql.id(name))
  const shown = [...own.map(({ name }) => sql.id('page', name)), ...columns]
  if (limit === 'guarded') {
    const guarded = joinedToTable(sql`SELECT ${sql.join(shown)}`, select([...own, id]), table, alias)
    return sql`${guarded} AND ${pageGuard(sized, alias, dialect)}`
  }
  const page = withinBytes(select([...own, id, size]), names, dialect)
  return joinedToTable(sql`SELECT ${sql.join([...shown, sql.id('page', 'total')])}`, page, table, alias)
}

/** The rows of a page with columns of the table, named `alias`. The page has a column `id`. */
export function joinedToTable(select: Sql, page: Sql, table: string, alias: string): Sql {
  return sql`${select} FROM (${page}) AS "page" CROSS JOIN ${sql.id(table)} AS ${sql.id(alias)}
      WHERE ${sql.id(alias, idColumn)} = "page"."id"`
}

/** The total of the last of these rows; undefined if they have none. */
export function totalBytes(rows: readonly SqlRow[], cell: number): number | undefined {
  for (let index = rows.length - 1; index >= 0; index--) {
    const total = rows[index]?.[cell]
    if (total !== null && total !== undefined) return Number(total)
  }
  return undefined
}

/** What one response may contain. */
export interface ResponseLimits {
  /** Bytes of the items of a page, and of the items that `$expand` adds to it. */
  readonly responseBytes: number
  /** Items that `$expand` adds. */
  readonly expandedItems: number
}

export const defaultResponseLimits: ResponseLimits = { responseBytes: 4 * 1024 * 1024, expandedItems: 10_000 }

/** The limits of the service, or the defaults. */
export function responseLimits({ limits }: Pick<ServiceTable, 'limits'>): ResponseLimits {
  return {
    responseBytes: limits.responseBytes ?? defaultResponseLimits.responseBytes,
    expandedItems: limits.expandedItems ?? defaultResponseLimits.expandedItems,
  }
}
