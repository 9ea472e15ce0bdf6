import type { RawBuilder } from 'kysely'
import type { ArithmeticOperator } from '../../runtime/query/index.js'
import type { CheckedPattern } from '../pattern/checked-pattern.js'
import type { Storage, StoredType } from '../schema/stored-type.js'

/** A value, or a promise of it. An embedded engine answers synchronously. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Runs statements.
 *
 * @throws {StoreError}
 */
export interface Session {
  /** The rows that a statement returns. */
  readonly all: (statement: Statement, values?: PlaceholderValues) => MaybePromise<readonly SqlRow[]>
  /** The number of rows that a statement changed. */
  readonly run: (statement: Statement, values?: PlaceholderValues) => MaybePromise<number>
}

/**
 * An error that the caller can act on:
 *
 * - `unique`: another item has the value; `columns` are the columns that the engine reports
 * - `reference`: other items refer to the item, or a reference has no target
 * - `tooComplex`: the SQL is nested too deeply or has too many values
 * - `outOfRange`: the engine cannot represent a number or time
 * - `busy`: another transaction holds a lock for too long
 * - `tooSlow`: the statement exceeded its time limit
 * - `patternTooSlow`: matching its patterns took too many steps, or too long
 * - `pageTooLarge`: the rows have more bytes than the page may have; read fewer of them
 * - `unavailable`: the database cannot be reached
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind
  readonly columns: readonly string[]

  constructor(problem: StoreErrorKind, cause: unknown, columns: readonly string[] = []) {
    super(`The store refused the statement: ${problem}.`, { cause })
    this.kind = problem
    this.columns = columns
  }
}

type StoreErrorKind =
  | 'unique'
  | 'reference'
  | 'tooComplex'
  | 'outOfRange'
  | 'busy'
  | 'tooSlow'
  | 'patternTooSlow'
  | 'pageTooLarge'
  | 'unavailable'
  /** Too many writes of the principal wait for the writer. */
  | 'tooManyWaiting'
  /** The disk has no space. */
  | 'full'
  /** The files of the database cannot be read or written. */
  | 'damaged'

/** Compiled SQL with its bound values, and placeholders for values that are known when it runs. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (SqlValue | Placeholder)[]
}

/** The bound values of a statement for one run. */
export function parametersOf({ parameters }: Statement, values: PlaceholderValues): SqlValue[] {
  return parameters.map(parameter =>
    parameter instanceof Placeholder ? parameter.encode(values[parameter.name]) : parameter,
  )
}

/** Checks the parameters of a compiled query. */
export function asParameters(parameters: readonly unknown[]): readonly (SqlValue | Placeholder)[] {
  return parameters.map(parameter => (parameter instanceof Placeholder ? parameter : asSqlValue(parameter)))
}

/** A value that engines accept and return. SQLite represents Booleans as numbers, and PostgreSQL bytes as `\\x00ff`. */
export type SqlValue = null | string | number | bigint | boolean | Uint8Array

/** The values of a row in column order. */
export type SqlRow = readonly unknown[]

/** A value that is known only when the statement runs, such as a key of the path, a parameter, or the start of a page. */
export class Placeholder {
  readonly name: string
  /** Converts the value to the form that the engine stores. */
  readonly encode: (value: unknown) => SqlValue

  constructor(name: string, encode: (value: unknown) => SqlValue = asSqlValue) {
    this.name = name
    this.encode = encode
  }
}

/** The values of placeholders by name. */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/** Merges two sets of values. The loops are ten times as fast as object spread. */
export function mergeValues(values: PlaceholderValues, more: PlaceholderValues): PlaceholderValues {
  const all: Record<string, unknown> = {}
  for (const name in values) all[name] = values[name]
  for (const name in more) all[name] = more[name]
  return all
}

/** @throws {TypeError} for a value that engines don't accept */
export function asSqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
    default:
      if (value === null || value === undefined) return null
      if (value instanceof Uint8Array) return value
      throw new TypeError(`A ${typeof value} is not an SQL value.`)
  }
}

/** A fragment of SQL with its bound values. */
export type Sql = RawBuilder<unknown>

/** A location inside a JSON value: the JSON, and a path of member names. */
export interface JsonLocation {
  readonly json: Sql
  readonly path: readonly string[]
}

/** The SQL that differs between the engines. All other SQL is the same text for all of them. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** The type of a column. The type of `$id` is `idType`. */
  readonly columnType: (storage: Storage) => string
  readonly idType: string
  /** A bound value of a storage class. */
  readonly bind: (value: SqlValue | Placeholder, storage: Storage) => Sql
  /** Converts a Boolean to the value that the engine binds. */
  readonly boolean: (value: boolean) => SqlValue

  readonly lower: (text: Sql) => Sql
  readonly upper: (text: Sql) => Sql
  readonly trim: (text: Sql) => Sql
  /** The words of a text in lower case, each between spaces. */
  readonly words: (text: Sql) => Sql
  /** The number of characters of a text. */
  readonly length: (text: Sql) => Sql
  /** Texts joined; null if one of them is null. */
  readonly concat: (texts: readonly Sql[]) => Sql
  /** Whether two values are equal, or both null. */
  readonly identical: (left: Sql, right: Sql) => Sql
  /** The position of a part in a text, in characters from 1; 0 if it is not there. */
  readonly position: (text: Sql, part: Sql) => Sql
  /** A checked pattern in the syntax that `matches` expects. */
  readonly pattern: (pattern: CheckedPattern) => string
  /** Whether a pattern matches anywhere in a text. */
  readonly matches: (text: Sql, pattern: string | Placeholder) => Sql
  /** The distance of two GeoJSON points, in metres or in the unit of the plane; null for other shapes. */
  readonly geoDistance: (from: Sql, to: Sql, family: GeoFamily) => Sql
  /** The length of a GeoJSON line string, in the same units; null for other shapes. */
  readonly geoLength: (line: Sql, family: GeoFamily) => Sql
  /** Whether a point is in a polygon or on its boundary; null for other shapes. */
  readonly geoIntersects: (point: Sql, polygon: Sql) => Sql
  readonly greatest: (left: Sql, right: Sql) => Sql

  /** Operands and results are in their exact form if they have one. */
  readonly arithmetic: (operator: ArithmeticOperator, left: Sql, right: Sql, kind: NumberKind) => ComputedNumber
  readonly negate: (value: Sql, kind: NumberKind) => ComputedNumber
  readonly round: (mode: 'round' | 'floor' | 'ceiling', value: Sql, kind: NumberKind) => ComputedNumber
  /** A number in decimal digits. It has an `exact` form if the engine cannot represent it. */
  readonly decimal: (text: string) => ComputedNumber
  /** Compares two numbers in their exact form: less than, equal to or greater than 0; null if one of them is null. */
  readonly storedDecimal: (column: Sql) => StoredDecimal
  /** The sortable form of a number in decimal digits; undefined if the engine compares decimal numbers itself. */
  readonly sortable: (text: string) => string | undefined
  readonly compareExact: (left: Sql, right: Sql) => Sql
  readonly integerOf: (text: Sql) => Sql
  readonly decimalOf: (text: Sql) => Sql
  readonly isNaN: (value: Sql) => Sql

  /**
   * Casts a value to another type; null if it does not fit or is not a literal of the type. Numbers are in their exact form,
   * rounded half away from zero.
   */
  readonly cast: (value: Sql, from: CastSource, to: CastTarget) => ComputedNumber
  /** A computed text with the collation of all texts. */
  readonly collated: (text: Sql) => Sql

  /** Adds seconds to a stored instant or date. */
  readonly addSeconds: (value: Sql, seconds: Sql, kind: 'date' | 'dateTimeOffset') => Sql
  /** The seconds between two instants or dates. */
  readonly secondsBetween: (later: Sql, earlier: Sql, kind: 'date' | 'dateTimeOffset') => ComputedNumber
  /** The seconds of a duration in its text form. */
  readonly durationSeconds: (text: Sql) => Sql

  readonly json: (column: Sql) => Sql
  /** A value inside JSON, converted to a storage class; null if it is null or missing. */
  readonly jsonValue: (place: JsonLocation, storage: Storage) => Sql
  /** An object or array inside JSON; null if it is null or missing. */
  readonly jsonPart: (place: JsonLocation) => Sql
  /** The digits of a number inside JSON, if `jsonValue` may lose some. */
  readonly jsonDigits: ((place: JsonLocation) => Sql) | undefined
  /** The items of a JSON array as rows of `alias`, for FROM. */
  readonly jsonItems: (place: JsonLocation, alias: string) => Sql
  /** Whether there are such items: `rows` is FROM and WHERE. */
  readonly jsonSome: (rows: Sql) => Sql
  /** A number that orders these items. */
  readonly jsonItemIndex: (alias: string) => Sql
  /** One of these items, converted to a storage class. */
  readonly jsonItem: (alias: string, storage: Storage) => Sql
  /** The digits of an item that is a number, if `jsonItem` may lose some. */
  readonly jsonItemDigits: ((alias: string) => Sql) | undefined
  /** One of these items as JSON, for paths into it. */
  readonly jsonItemPart: (alias: string) => Sql
  readonly jsonLength: (place: JsonLocation) => Sql

  /** The parts of a comma-separated text as rows of `alias` with a column `value`, for FROM. */
  readonly commaSeparated: (text: Sql, alias: string) => Sql
  /** The values of a bound JSON array, for `IN (…)`. */
  readonly listValues: (list: Placeholder, storage: Storage) => Sql
  /** Encodes the value of the placeholder of `listValues`. */
  readonly encodeList: (values: readonly SqlValue[]) => SqlValue
  /** A selected value that is compared again later. It keeps all its digits. */
  readonly lossless: (value: Sql, storage: Storage) => Sql
  /** Follows a key of ORDER BY; null sorts lowest. */
  readonly nullOrder: (direction: 'asc' | 'desc') => Sql
  /** Limits the rows to a bound number. */
  readonly limit: (count: Sql) => Sql
  /** Precedes OFFSET if there is no limit, and keeps the order of a subquery. */
  readonly endless: Sql
  /** Follows a SELECT whose rows, named `t`, are about to be updated. */
  readonly forUpdate: Sql
  /** Follows a SELECT of rows, named `t`, that no one may delete before the transaction ends. */
  readonly forKeyShare: Sql
  /**
   * A condition that is always true, and ends the statement with `tooSlow` when its time is over. Undefined: the engine ends
   * statements itself.
   *
   * @param row an integer that grows from row to row
   */
  readonly withinTime?: (row: Sql) => Sql
  /** Writes JSON in SQL; undefined if the engine cannot do so byte for byte. */
  readonly jsonWriter: JsonWriter | undefined
}

/**
 * SQL that produces the same JSON, byte for byte, that this process would produce. A page is then one text instead of many
 * values, which saves most of its cost.
 */
export interface JsonWriter {
  /** The JSON of a column, never SQL null; undefined if only this process can write values of the type. */
  readonly value: (column: Sql, type: StoredType) => Sql | undefined
  readonly concat: (texts: readonly Sql[]) => Sql
  /** The maximum number of texts to concatenate. */
  readonly maxConcat: number
  /** A JSON array of values that are not floating-point numbers. A single value is on its own, which is faster. */
  readonly array: (values: readonly Sql[]) => Sql
  /** The texts of all rows in order, with a separator. */
  readonly aggregate: (text: Sql, between: string) => Sql
}

export interface ComputedNumber {
  /** As the engine compares and orders it. */
  readonly sql: Sql
  /** The exact form, for further arithmetic and exact comparison, if the engine's own numbers would lose digits. */
  readonly exact?: Sql
}

interface StoredDecimal extends ComputedNumber {
  /** Text in the order of the numbers, if the engine stores them so. Two of them are compared as texts, with an index. */
  readonly sortable?: Sql
}

/** Positions on the globe, or on a plane. */
export type GeoFamily = 'geography' | 'geometry'

export type CastSource = 'text' | 'duration' | NumberKind

export type CastTarget =
  | { readonly kind: 'integer'; readonly least: bigint; readonly most: bigint }
  | { readonly kind: 'text' | 'decimal' | 'double' | 'single' }
  | { readonly kind: 'guid' | 'date' | 'dateTimeOffset' | 'timeOfDay' | 'duration' | 'binary' }

export type NumberKind = 'integer' | 'decimal' | 'double'

/** The characters with the Unicode property White_Space, which `trim` removes. */
export const whiteSpace =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
