import type { RawBuilder } from 'kysely'
import type { ArithmeticOperator } from '../../../runtime/query/index.js'
import type { CheckedPattern } from '../pattern/checked-pattern.js'
import type { Storage } from '../schema/stored-type.js'

/** A value now, or later: an embedded engine need not wait. */
export type MaybePromise<Value> = Value | Promise<Value>

/** A database, whichever it is. */
export interface Engine {
  readonly dialect: Dialect
  /** Compiles SQL. The result may be kept and run many times. */
  readonly compile: (fragment: Sql) => Statement
  /** Runs reads that see no half-done write of this process. */
  readonly read: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** Runs a transaction; it is durable when this resolves, and undone when `work` throws. `work` may run again. */
  readonly write: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** The same without a limit of time for its statements: to make tables and indexes, and to load data. */
  readonly maintain: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  readonly close: () => Promise<void>
}

/** Where statements run. @throws {StoreError} */
export interface Session {
  /** The rows of a statement that has some. */
  readonly all: (statement: Statement, values?: PlaceholderValues) => MaybePromise<readonly SqlRow[]>
  /** How many rows a statement changed. */
  readonly run: (statement: Statement, values?: PlaceholderValues) => MaybePromise<number>
}

/**
 * What an engine refuses for a reason that callers can do something about:
 *
 * - `unique`: a value that another item has; `columns` as far as the engine tells
 * - `reference`: an item that others refer to, or a reference to none
 * - `tooComplex`: SQL that is nested too deep or has too many values
 * - `outOfRange`: a number or time that the engine cannot hold
 * - `busy`: others hold what is needed for too long
 * - `tooSlow`: a statement that took longer than it may
 * - `unavailable`: the database cannot be reached, or has gone
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind
  readonly columns: readonly string[]

  constructor(problem: StoreErrorKind, cause: unknown, columns: readonly string[] = []) {
    super(`The store refused: ${problem}.`, { cause })
    this.kind = problem
    this.columns = columns
  }
}

type StoreErrorKind = 'unique' | 'reference' | 'tooComplex' | 'outOfRange' | 'busy' | 'tooSlow' | 'unavailable'

/** SQL text that was compiled once, with its values and the places of those that come later. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (SqlValue | Placeholder)[]
}

/** The values of a statement for one run. */
export function parametersOf({ parameters }: Statement, values: PlaceholderValues): SqlValue[] {
  return parameters.map(parameter =>
    parameter instanceof Placeholder ? parameter.encode(values[parameter.name]) : parameter,
  )
}

/** What a compiler found as parameters, checked. */
export function asParameters(parameters: readonly unknown[]): readonly (SqlValue | Placeholder)[] {
  return parameters.map(parameter => (parameter instanceof Placeholder ? parameter : asSqlValue(parameter)))
}

/** What goes to an engine and comes from it. Booleans are numbers in SQLite. */
export type SqlValue = null | string | number | bigint | boolean

/** One row of a result, column by column. */
export type SqlRow = readonly unknown[]

/** A value that is known only when a statement runs: a key of the path, a parameter, where a page begins. */
export class Placeholder {
  readonly name: string
  /** Brings the value to the form that the engine keeps. */
  readonly encode: (value: unknown) => SqlValue

  constructor(name: string, encode: (value: unknown) => SqlValue = asSqlValue) {
    this.name = name
    this.encode = encode
  }
}

/** Values of slots by name. */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/** The values of slots and some more: copied one by one, since spreading both costs ten times as much. */
export function mergeValues(values: PlaceholderValues, more: PlaceholderValues): PlaceholderValues {
  const all: Record<string, unknown> = {}
  for (const name in values) all[name] = values[name]
  for (const name in more) all[name] = more[name]
  return all
}

/** A value that an engine takes as it is. @throws {TypeError} for any other */
function asSqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
    default:
      if (value === null || value === undefined) return null
      throw new TypeError(`A ${typeof value} is no value of SQL.`)
  }
}

/** A piece of SQL with its values bound. */
export type Sql = RawBuilder<unknown>

/** A place in a JSON value: the JSON itself, as the engine works with it, and names on the way down. */
export interface JsonLocation {
  readonly json: Sql
  readonly path: readonly string[]
}

/** What two engines say differently. Everything else of the store's SQL is the same text for both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Type of a column; `$id` has `idType`. */
  readonly columnType: (storage: Storage) => string
  readonly idType: string
  /** A bound value that the engine takes as of this storage. */
  readonly bind: (value: SqlValue | Placeholder, storage: Storage) => Sql
  /** Brings a wire value that is a Boolean to what the engine binds. */
  readonly boolean: (value: boolean) => SqlValue

  readonly lower: (text: Sql) => Sql
  readonly upper: (text: Sql) => Sql
  readonly trim: (text: Sql) => Sql
  /** Position of a part in a text by characters, from 1; 0: it is not there. */
  readonly position: (text: Sql, part: Sql) => Sql
  /** A checked pattern in the form that `matches` takes. */
  readonly pattern: (pattern: CheckedPattern) => string
  /** That a pattern, of that form, matches somewhere in a text. */
  readonly matches: (text: Sql, pattern: string | Placeholder) => Sql
  /** Distance of two points in GeoJSON, in metres or in the unit of the plane; null for other shapes. */
  readonly geoDistance: (from: Sql, to: Sql, family: GeoFamily) => Sql
  /** Length of a line string in GeoJSON, likewise. */
  readonly geoLength: (line: Sql, family: GeoFamily) => Sql
  /** Whether a point lies in a polygon or on its boundary; null for other shapes. */
  readonly geoIntersects: (point: Sql, polygon: Sql) => Sql
  readonly greatest: (left: Sql, right: Sql) => Sql

  /** Operands and results of numbers that have an exact form are in that form. */
  readonly arithmetic: (operator: ArithmeticOperator, left: Sql, right: Sql, kind: NumberKind) => ComputedNumber
  readonly negate: (value: Sql, kind: NumberKind) => ComputedNumber
  readonly round: (mode: 'round' | 'floor' | 'ceiling', value: Sql, kind: NumberKind) => ComputedNumber
  /** A number written in decimal digits; `exact` where the engine has no number that is just this one. */
  readonly decimal: (text: string) => ComputedNumber
  /** How a number in its exact form stands to another: less than, equal to or greater than 0; null where one is null. */
  readonly compareExact: (left: Sql, right: Sql) => Sql
  readonly integerOf: (text: Sql) => Sql
  readonly decimalOf: (text: Sql) => Sql
  readonly isNaN: (value: Sql) => Sql

  /**
   * A value as one of another type, null where it does not fit, or is no literal of that type. Numbers come in their exact
   * form, rounded where they must be, halves away from zero.
   */
  readonly cast: (value: Sql, from: CastSource, to: CastTarget) => ComputedNumber
  /** A text that was worked out, ordered as all texts are. */
  readonly collated: (text: Sql) => Sql

  /** An instant (as kept) or date moved by seconds. */
  readonly addSeconds: (value: Sql, seconds: Sql, kind: 'date' | 'dateTimeOffset') => Sql
  /** Seconds from one instant or date to another. */
  readonly secondsBetween: (later: Sql, earlier: Sql, kind: 'date' | 'dateTimeOffset') => ComputedNumber
  /** Seconds of a duration's text. */
  readonly durationSeconds: (text: Sql) => Sql

  /** The JSON of a column. */
  readonly json: (column: Sql) => Sql
  /** A value inside JSON, as of a storage; null where JSON has null or nothing. */
  readonly jsonValue: (place: JsonLocation, storage: Storage) => Sql
  /** A structure inside JSON; null where JSON has null or nothing. */
  readonly jsonPart: (place: JsonLocation) => Sql
  /** The items of a JSON array as rows of `alias`, for FROM. */
  readonly jsonItems: (place: JsonLocation, alias: string) => Sql
  /** A number that grows from each of these items to the next. */
  readonly jsonItemIndex: (alias: string) => Sql
  /** One of these items, as of a storage. */
  readonly jsonItem: (alias: string, storage: Storage) => Sql
  /** One of these items that is a structure, for paths into it. */
  readonly jsonItemPart: (alias: string) => Sql
  readonly jsonLength: (place: JsonLocation) => Sql

  /** What stands between the commas of a text, as rows of `alias` with a column `value`, for FROM. */
  readonly commaSeparated: (text: Sql, alias: string) => Sql
  /** The values of a bound JSON array, for `IN (…)`. */
  readonly listValues: (list: Placeholder, storage: Storage) => Sql
  /** What the slot of `listed` wants. */
  readonly encodeList: (values: readonly SqlValue[]) => SqlValue
  /** A value of SELECT that comes back to be compared again, without losing a digit. */
  readonly lossless: (value: Sql, storage: Storage) => Sql
  /** Behind a key of ORDER BY, so that null is lowest. */
  readonly nullOrder: (direction: 'asc' | 'desc') => Sql
  /** Behind a SELECT whose rows, named `t`, are about to be changed. */
  readonly forUpdate: Sql
  /** Behind a SELECT of rows, named `t`, that must not go before the transaction ends. */
  readonly forKeyShare: Sql
}

/** A number that was worked out. */
export interface ComputedNumber {
  /** As the engine compares and orders it. */
  readonly sql: Sql
  /** For further arithmetic and exact comparison, where the engine's own numbers would lose digits. */
  readonly exact?: Sql
}

/** Positions on the globe, or on a plane. */
export type GeoFamily = 'geography' | 'geometry'

export type CastSource = 'text' | 'duration' | NumberKind

export type CastTarget =
  | { readonly kind: 'integer'; readonly least: bigint; readonly most: bigint }
  | { readonly kind: 'text' | 'decimal' | 'double' | 'single' }
  | { readonly kind: 'guid' | 'date' | 'dateTimeOffset' | 'timeOfDay' | 'duration' }

export type NumberKind = 'integer' | 'decimal' | 'double'

/** The characters that Unicode calls white space: what `trim` takes away. */
export const whiteSpace =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
