import type { RawBuilder } from 'kysely'
import type { ArithmeticOperator } from '../../../runtime/query/index.js'
import type { Slot, SqlValue } from '../engine/sql-value.js'
import type { CheckedPattern } from '../pattern/checked-pattern.js'
import type { Storage } from '../schema/storage.js'

/** A piece of SQL with its values bound. */
export type Sql = RawBuilder<unknown>

/** A place in a JSON value: the JSON itself, as the engine works with it, and names on the way down. */
export interface JsonPlace {
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
  readonly bind: (value: SqlValue | Slot, storage: Storage) => Sql
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
  readonly matches: (text: Sql, pattern: string | Slot) => Sql
  /** Distance of two points in GeoJSON, in metres or in the unit of the plane; null for other shapes. */
  readonly geoDistance: (from: Sql, to: Sql, family: GeoFamily) => Sql
  /** Length of a line string in GeoJSON, likewise. */
  readonly geoLength: (line: Sql, family: GeoFamily) => Sql
  /** Whether a point lies in a polygon or on its boundary; null for other shapes. */
  readonly geoIntersects: (point: Sql, polygon: Sql) => Sql
  readonly greatest: (left: Sql, right: Sql) => Sql

  /** Operands and results of numbers that have an exact form are in that form. */
  readonly arithmetic: (operator: ArithmeticOperator, left: Sql, right: Sql, kind: NumberKind) => Calculated
  readonly negated: (value: Sql, kind: NumberKind) => Calculated
  readonly round: (mode: 'round' | 'floor' | 'ceiling', value: Sql, kind: NumberKind) => Calculated
  /** A number written in decimal digits; `exact` where the engine has no number that is just this one. */
  readonly decimal: (text: string) => Calculated
  /** How a number in its exact form stands to another: less than, equal to or greater than 0; null where one is null. */
  readonly compared: (left: Sql, right: Sql) => Sql
  readonly integerOf: (text: Sql) => Sql
  readonly decimalOf: (text: Sql) => Sql
  readonly isNotANumber: (value: Sql) => Sql

  /**
   * A value as one of another type, null where it does not fit, or is no literal of that type. Numbers come in their exact
   * form, rounded where they must be, halves away from zero.
   */
  readonly cast: (value: Sql, from: CastSource, to: CastTarget) => Calculated
  /** A text that was worked out, ordered as all texts are. */
  readonly ordered: (text: Sql) => Sql

  /** An instant (as kept) or date moved by seconds. */
  readonly moved: (value: Sql, seconds: Sql, kind: 'date' | 'dateTimeOffset') => Sql
  /** Seconds from one instant or date to another. */
  readonly between: (later: Sql, earlier: Sql, kind: 'date' | 'dateTimeOffset') => Calculated
  /** Seconds of a duration's text. */
  readonly durationSeconds: (text: Sql) => Sql

  /** The JSON of a column. */
  readonly json: (column: Sql) => Sql
  /** A value inside JSON, as of a storage; null where JSON has null or nothing. */
  readonly jsonValue: (place: JsonPlace, storage: Storage) => Sql
  /** A structure inside JSON; null where JSON has null or nothing. */
  readonly jsonPart: (place: JsonPlace) => Sql
  /** The items of a JSON array as rows of `alias`, for FROM. */
  readonly jsonItems: (place: JsonPlace, alias: string) => Sql
  /** A number that grows from each of these items to the next. */
  readonly jsonItemPlace: (alias: string) => Sql
  /** One of these items, as of a storage. */
  readonly jsonItem: (alias: string, storage: Storage) => Sql
  /** One of these items that is a structure, for paths into it. */
  readonly jsonItemPart: (alias: string) => Sql
  readonly jsonLength: (place: JsonPlace) => Sql

  /** What stands between the commas of a text, as rows of `alias` with a column `value`, for FROM. */
  readonly commaSeparated: (text: Sql, alias: string) => Sql
  /** The values of a bound JSON array, for `IN (…)`. */
  readonly listed: (list: Slot, storage: Storage) => Sql
  /** What the slot of `listed` wants. */
  readonly encodeList: (values: readonly SqlValue[]) => SqlValue
  /** A value of SELECT that comes back to be compared again, without losing a digit. */
  readonly exact: (value: Sql, storage: Storage) => Sql
  /** Behind a key of ORDER BY, so that null is lowest. */
  readonly nulls: (direction: 'asc' | 'desc') => Sql
  /** Behind a SELECT whose rows, named `t`, are about to be changed. */
  readonly forUpdate: Sql
  /** Behind a SELECT of rows, named `t`, that must not go before the transaction ends. */
  readonly forReference: Sql
}

/** A number that was worked out. */
export interface Calculated {
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
