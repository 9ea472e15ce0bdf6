import type { Literal } from '../../../runtime/query/index.js'
import type { EnumType, PrimitiveTypeName, Property, StructuredType, ValueType } from '../../../spec/language/index.js'
import { isObject, type Json } from './json.js'
import type { Entity } from './store.js'

/** A value of an expression. Booleans, numbers, strings and null are JavaScript values. */
export type Value =
  | null
  | boolean
  | number
  | string
  | { readonly kind: 'instant'; readonly nanos: bigint }
  /** `2026-03-01`: dates compare as strings. */
  | { readonly kind: 'date'; readonly text: string }
  /** A time of day or a duration. */
  | { readonly kind: 'time' | 'duration'; readonly nanos: bigint }
  | { readonly kind: 'guid' | 'binary'; readonly text: string }
  | { readonly kind: 'enum'; readonly type: EnumType; readonly number: number; readonly text: string }
  | {
      readonly kind: 'object'
      readonly type: StructuredType
      readonly values: PropertyValues
      readonly entity?: Entity
    }
  | { readonly kind: 'collection'; readonly items: readonly Value[] }
  /** A value without order or operators, such as a geographic point. */
  | { readonly kind: 'other'; readonly json: Json }

type PropertyValues = Readonly<Record<string, Json>>

/** The value of a condition. Null means unknown. */
export type Truth = boolean | null

/** Converts a value to a condition. A value that is not Boolean is unknown. */
export function truthOf(value: Value): Truth {
  return typeof value === 'boolean' ? value : null
}

/** Converts JSON to a value of the declared type. */
export function readValue(json: Json, type: ValueType, collection: boolean): Value {
  if (json === null) return null
  if (collection) {
    return {
      kind: 'collection',
      items: Array.isArray(json) ? json.map((each: Json) => readValue(each, type, false)) : [],
    }
  }
  switch (type.kind) {
    case 'primitive':
      return readPrimitive(json, type.name)
    case 'typeDefinition':
      return readPrimitive(json, type.underlying)
    case 'enumType':
      return typeof json === 'string' ? (enumOf(json, type) ?? null) : null
    default:
      return isRecord(json) ? { kind: 'object', type, values: json } : null
  }
}

/** Parses an enumeration value. Flags may be combined: `a,b`. */
export function enumOf(text: string, type: EnumType): Value | undefined {
  const byName = new Map(type.members.map(member => [member.name, member.value]))
  const numbers = text.split(',').map(name => byName.get(name.trim()))
  if (numbers.some(number => number === undefined) || (!type.flags && numbers.length > 1)) return undefined
  return { kind: 'enum', type, number: numbers.reduce((all: number, each) => all | (each ?? 0), 0), text }
}

function readPrimitive(json: Json, name: PrimitiveTypeName): Value {
  if (typeof json === 'boolean' || typeof json === 'number') return json
  if (typeof json !== 'string') return { kind: 'other', json }
  switch (name) {
    case 'DateTimeOffset':
      return timed('instant', instantOf(json))
    case 'TimeOfDay':
      return timed('time', timeOf(json))
    case 'Duration':
      return timed('duration', durationOf(json))
    case 'Date':
      return { kind: 'date', text: json }
    case 'Guid':
      return { kind: 'guid', text: json.toLowerCase() }
    case 'Binary':
      return { kind: 'binary', text: json }
    default:
      return json
  }
}

function timed(kind: 'instant' | 'time' | 'duration', nanos: bigint | undefined): Value {
  return nanos === undefined ? null : { kind, nanos }
}

function isRecord(json: Json): json is { readonly [name: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** The value of a query literal. An enumeration literal stays a string until the other operand determines its type. */
export function literalValue(literal: Literal): Value {
  switch (literal.type) {
    case 'null':
      return null
    case 'Boolean':
      return literal.value
    case 'Integer':
    case 'Decimal':
    case 'Double':
      return literal.value === 'INF' ? Number.POSITIVE_INFINITY : Number(literal.value.replace('INF', 'Infinity'))
    case 'Guid':
      return { kind: 'guid', text: literal.value.toLowerCase() }
    case 'Date':
      return { kind: 'date', text: literal.value }
    case 'DateTimeOffset':
      return { kind: 'instant', nanos: instantOf(literal.value) ?? 0n }
    case 'TimeOfDay':
      return { kind: 'time', nanos: timeOf(literal.value) ?? 0n }
    case 'Duration':
      return { kind: 'duration', nanos: durationOf(literal.value) ?? 0n }
    case 'Binary':
      return { kind: 'binary', text: literal.value }
    default:
      return literal.value
  }
}

/** Coerces two operands to a common type: a string is parsed as the type of the other operand. */
export function coerceOperands(left: Value, right: Value): readonly [Value, Value] {
  if (typeof left === 'string' && typeof right !== 'string') return [coerceText(left, right), right]
  if (typeof right === 'string' && typeof left !== 'string') return [left, coerceText(right, left)]
  if (isKind(left, 'date') && isKind(right, 'instant')) return [coerceText(`${left.text}T00:00:00Z`, right), right]
  if (isKind(left, 'instant') && isKind(right, 'date')) return [left, coerceText(`${right.text}T00:00:00Z`, left)]
  if (isKind(left, 'enum') && typeof right === 'number') return [left.number, right]
  if (typeof left === 'number' && isKind(right, 'enum')) return [left, right.number]
  return [left, right]
}

function coerceText(text: string, other: Value): Value {
  if (other === null) return text
  if (typeof other === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text)
  if (typeof other === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (typeof other === 'string') return text
  switch (other.kind) {
    case 'instant':
      return timed('instant', instantOf(text))
    case 'time':
      return timed('time', timeOf(text))
    case 'duration':
      return timed('duration', durationOf(text))
    case 'date':
      return isDate(text) ? { kind: 'date', text } : null
    case 'guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'binary':
      return { kind: 'binary', text }
    case 'enum':
      return enumOf(text, other.type) ?? null
    default:
      return text
  }
}

function isKind<Kind extends string>(value: Value, kind: Kind): value is Extract<Value, { readonly kind: Kind }> {
  return typeof value === 'object' && value !== null && value.kind === kind
}

const second = 1_000_000_000n

/** Parses `2026-03-01T10:00:00.5+01:00` to nanoseconds since 1970. Undefined if malformed. */
export function instantOf(text: string): bigint | undefined {
  const match = /^(-?\d{4,6}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?)(Z|[+-]\d\d:\d\d)$/i.exec(text)
  const [, date = '', clock = '', zone = ''] = match ?? []
  const day = Date.parse(`${date}T00:00:00Z`)
  const time = timeOf(clock)
  if (match === null || Number.isNaN(day) || time === undefined) return undefined
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const offset = /z/i.test(zone) ? 0n : BigInt(hours * 60 + minutes) * 60n * second
  return BigInt(day) * 1_000_000n + time - (zone.startsWith('-') ? -offset : offset)
}

/** Parses `10:00:00.5` to nanoseconds since midnight. Undefined if malformed. */
export function timeOf(text: string): bigint | undefined {
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?$/.exec(text)
  if (match === null) return undefined
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined
  return BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * second + nanosOf(fraction)
}

/** Parses `P1DT2H3M4.5S` to nanoseconds. Undefined if malformed. */
export function durationOf(text: string): bigint | undefined {
  const match = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/i.exec(text)
  if (match === null || /[PT]$/i.test(text)) return undefined
  const [, sign = '', days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  const nanos = whole * second + nanosOf(fraction)
  return sign === '' ? nanos : -nanos
}

/** The UTC date and time of day of a timestamp. */
export function dateAndTimeOf(nanos: bigint): { readonly date: string; readonly time: bigint } {
  const day = 86_400n * second
  const time = ((nanos % day) + day) % day
  return { date: new Date(Number((nanos - time) / 1_000_000n)).toISOString().slice(0, 10), time }
}

/** Whether a text is a valid calendar date. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function nanosOf(fraction: string): bigint {
  return BigInt(`${fraction}000000000`.slice(0, 9))
}

/** A value as the service stores it: where the empty text is null, nullable properties have null instead. */
export function storedValue(
  value: Json,
  { type, nullable, collection }: Pick<Property, 'type' | 'nullable' | 'collection'>,
  choices: Readonly<Record<string, string | number>>,
): Json {
  if (choices['emptyString'] !== 'null') return value
  if (value === '') return nullable && !collection ? null : value
  if (Array.isArray(value)) {
    return value.map((each: Json) => storedValue(each, { type, nullable: false, collection: false }, choices))
  }
  if (!isObject(value) || type.kind !== 'complexType') return value
  const members = new Map(type.properties.map(property => [property.name, property]))
  const stored = Object.entries(value).map(([name, each]) => {
    const member = members.get(name)
    return [name, member === undefined ? each : storedValue(each, member, choices)] as const
  })
  return Object.fromEntries(stored)
}
