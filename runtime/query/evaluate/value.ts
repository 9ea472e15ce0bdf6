import type { Decimal } from './decimal.js'

/** The text of a JSON string: an Edm.String, or a value without a declared type. */
interface StringValue {
  readonly kind: 'string'
  readonly text: string
}

export type NumericValue =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'decimal'; readonly value: Decimal }
  | { readonly kind: 'double'; readonly value: number }

/** `days` since 1970-01-01. */
export interface DateValue {
  readonly kind: 'date'
  readonly days: number
}

/** `seconds` since 1970-01-01T00:00:00Z, and the `offset` of its time zone in minutes. */
export interface DateTimeOffsetValue {
  readonly kind: 'dateTimeOffset'
  readonly seconds: Decimal
  readonly offset: number
}

/** `seconds` since midnight. */
export interface TimeOfDayValue {
  readonly kind: 'timeOfDay'
  readonly seconds: Decimal
}

export interface DurationValue {
  readonly kind: 'duration'
  readonly seconds: Decimal
}

/** `number` is defined when the type table contains the type and all members. */
export interface EnumValue {
  readonly kind: 'enum'
  readonly type: string
  readonly text: string
  readonly number: bigint | undefined
}

/** `type` is the unqualified name in the type table, if it is known. */
export interface StructuredValue {
  readonly kind: 'structured'
  readonly json: Readonly<Record<string, unknown>>
  readonly type: string | undefined
}

export interface CollectionValue {
  readonly kind: 'collection'
  readonly items: readonly Value[]
}

/** The value of an expression, with as much of its type as is known. */
export type Value =
  | null
  | boolean
  | StringValue
  | NumericValue
  | DateValue
  | DateTimeOffsetValue
  | TimeOfDayValue
  | DurationValue
  | EnumValue
  | { readonly kind: 'guid' | 'binary' | 'geography' | 'geometry'; readonly text: string }
  | StructuredValue
  | CollectionValue

export type NonNullValue = Exclude<Value, null>

type TypedValue = Exclude<Value, null | boolean>

/** Whether a value is neither null nor a Boolean, but of the given kind. */
export function isOfKind<Kind extends TypedValue['kind']>(
  value: Value | undefined,
  kind: Kind,
): value is Extract<TypedValue, { readonly kind: Kind }> {
  return typeof value === 'object' && value?.kind === kind
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  decimal: 'a decimal number',
  double: 'a floating-point number',
  date: 'a date',
  dateTimeOffset: 'a date and time',
  timeOfDay: 'a time of day',
  duration: 'a duration',
  enum: 'an enumeration member',
  guid: 'a Guid',
  binary: 'binary data',
  geography: 'a geography',
  geometry: 'a geometry',
  structured: 'a structured value',
  collection: 'a collection',
}

/** A value's type, for messages: `a date`. */
export function describeValue(value: Value): string {
  if (value === null) return 'null'
  return typeof value === 'boolean' ? 'a Boolean' : (kindNames[value.kind] ?? value.kind)
}

export function string(text: string): StringValue {
  return { kind: 'string', text }
}

export function integer(value: bigint | number): NumericValue {
  return { kind: 'integer', value: BigInt(value) }
}

/**
 * An expression has no value for a row: the types of operands do not match, a divisor is zero, or only a service can
 * evaluate a function. The expression itself is well-formed.
 *
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
}

/** A truth value: true, false, or null for unknown. @throws {EvaluationError} for any other value */
export function truthOf(value: Value, where: string): boolean | null {
  if (value === null) return null
  if (typeof value === 'boolean') return value
  throw new EvaluationError(`\`${where}\` needs a Boolean, not ${describeValue(value)}.`)
}
