import type { Literal } from '../ast.js'
import { guidEnd } from '../literal-formats.js'
import { primitiveType } from '../primitive-types.js'
import { type EnumTypeInfo, enumType, type TypeTable, typeKey, typeNamed } from '../type-table.js'
import { decimalText, fromInteger, parseDecimal, parseScientific } from './decimal.js'
import {
  dateText,
  dateTimeOffsetText,
  durationText,
  parseDate,
  parseDateTimeOffset,
  parseDuration,
  parseTimeOfDay,
  timeOfDayText,
} from './temporal.js'
import { type EnumValue, EvaluationError, integer, isOfKind, type NumericValue, string, type Value } from './value.js'

/**
 * Reads a JSON value of a row as a value of the declared type. Without a declared type, a number is an integer or an exact
 * decimal, and a string takes the type of the other operand.
 *
 * @throws {EvaluationError} when the JSON value is not of the declared type
 */
export function jsonValue(json: unknown, type: string | undefined, types: TypeTable | undefined): Value {
  if (json === null || json === undefined) return null
  if (Array.isArray(json)) {
    return { kind: 'collection', items: json.map((item: unknown) => jsonValue(item, type, types)) }
  }
  if (type?.startsWith('Edm.') === true) return primitiveValue(json, type)
  const info = typeNamed(type, types)
  if (info?.kind === 'typeDefinition') return jsonValue(json, info.type, types)
  if (type !== undefined && info?.kind === 'enumType') {
    if (typeof json === 'string') return enumValue(type, json, types)
    return typeof json === 'number' ? enumValue(type, enumText(BigInt(json), info), types) : wrongJson(json, type)
  }
  return untypedValue(json, type, types)
}

function untypedValue(json: unknown, type: string | undefined, types: TypeTable | undefined): Value {
  switch (typeof json) {
    case 'boolean':
      return json
    case 'string':
      return string(json)
    case 'bigint':
      return integer(json)
    case 'number':
      return numberValue(json)
    default:
      if (!isJsonObject(json)) throw new EvaluationError(`Expected a JSON value, found a ${typeof json}.`)
      return { kind: 'structured', json, type: actualType(json, type, types) }
  }
}

/** The type that an item names, if the table contains it. Otherwise the declared type. */
function actualType(
  json: Readonly<Record<string, unknown>>,
  declared: string | undefined,
  types: TypeTable | undefined,
): string | undefined {
  const named = json['@odata.type'] ?? json['@type']
  if (typeof named === 'string' && typeNamed(named, types) !== undefined) return typeKey(named, types)
  return declared === undefined ? undefined : typeKey(declared, types)
}

function numberValue(json: number): NumericValue {
  if (Number.isInteger(json)) return integer(json)
  if (!Number.isFinite(json)) return { kind: 'double', value: json }
  const text = String(json)
  return text.includes('e') ? { kind: 'double', value: json } : { kind: 'decimal', value: parseDecimal(text) }
}

function primitiveValue(json: unknown, type: string): Value {
  if (typeof json === 'boolean') return type === 'Edm.Boolean' ? json : wrongJson(json, type)
  const kind = primitiveType(type)?.kind
  switch (kind) {
    case undefined:
    case 'boolean':
      return untypedValue(json, undefined, undefined)
    case 'string':
      return typeof json === 'string' ? string(json) : wrongJson(json, type)
    case 'integer':
    case 'decimal':
    case 'double':
      return numericValue(json, kind, type)
    case 'binary':
      return { kind, text: String(json) }
    case 'geography':
    case 'geometry':
      return { kind, text: JSON.stringify(json) }
    default:
      return (typeof json === 'string' ? castText(json, kind) : undefined) ?? wrongJson(json, type)
  }
}

/** A number, or the text of a number: services write Int64 and Decimal as text when a client asks for exact values. */
function numericValue(json: unknown, kind: NumericValue['kind'], type: string): NumericValue {
  if (typeof json !== 'number' && typeof json !== 'string' && typeof json !== 'bigint') return wrongJson(json, type)
  if (kind === 'double') {
    const value = typeof json === 'string' ? parseDouble(json) : Number(json)
    return value === undefined ? wrongJson(json, type) : { kind, value }
  }
  const value = typeof json === 'number' ? numberValue(json) : castNumeric(String(json))
  if (value === undefined || (kind === 'integer' && value.kind !== 'integer')) return wrongJson(json, type)
  if (kind === 'integer' || value.kind === 'decimal') return value
  if (value.kind === 'integer') return { kind: 'decimal', value: fromInteger(value.value) }
  // JSON can contain a small decimal with an exponent.
  const exact = parseScientific(value.value)
  return exact === undefined ? value : { kind: 'decimal', value: exact }
}

function wrongJson(json: unknown, type: string): never {
  throw new EvaluationError(
    `Expected a value of ${type} in the row, found ${typeof json === 'bigint' ? json : JSON.stringify(json)}.`,
  )
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: unknown }

/** The value in JSON. A number that a JavaScript number cannot represent exactly becomes text. */
export function valueJson(value: Value): Json {
  if (value === null) return null
  if (typeof value === 'boolean') return value
  switch (value.kind) {
    case 'integer':
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value)
    case 'decimal': {
      const text = decimalText(value.value)
      return String(Number(text)) === text ? Number(text) : text
    }
    case 'double':
      return Number.isFinite(value.value) ? value.value : valueText(value)
    case 'structured':
      return value.json
    case 'collection':
      return value.items.map(valueJson)
    default:
      return valueText(value)
  }
}

/** The text of a primitive value in payloads. */
export function valueText(value: Exclude<Value, null>): string {
  if (typeof value === 'boolean') return String(value)
  switch (value.kind) {
    case 'integer':
      return String(value.value)
    case 'decimal':
      return decimalText(value.value)
    case 'double':
      return String(value.value).replace('Infinity', 'INF')
    case 'date':
      return dateText(value)
    case 'dateTimeOffset':
      return dateTimeOffsetText(value)
    case 'timeOfDay':
      return timeOfDayText(value)
    case 'duration':
      return durationText(value)
    case 'structured':
      return JSON.stringify(value.json)
    case 'collection':
      return JSON.stringify(value.items.map(valueJson))
    default:
      return value.text
  }
}

const literalKinds = {
  Integer: 'integer',
  Decimal: 'decimal',
  Double: 'double',
  Guid: 'guid',
  Date: 'date',
  DateTimeOffset: 'dateTimeOffset',
  TimeOfDay: 'timeOfDay',
  Duration: 'duration',
} as const

export function literalValue(literal: Literal, types: TypeTable | undefined): Value {
  switch (literal.type) {
    case 'null':
      return null
    case 'Boolean':
      return literal.value
    case 'String':
      return { kind: 'string', text: literal.value }
    case 'Binary':
      return { kind: 'binary', text: literal.value }
    case 'Geography':
      return { kind: 'geography', text: literal.value }
    case 'Geometry':
      return { kind: 'geometry', text: literal.value }
    case 'Enum':
      return enumValue(literal.enumType, literal.value, types)
    default: {
      const value = castText(literal.value, literalKinds[literal.type])
      if (value === undefined)
        throw new EvaluationError(`${JSON.stringify(literal.value)} is not a valid ${literal.type}.`)
      // An integer beyond 64 bits is a decimal, whose quotients have fractions.
      const isLarge = isOfKind(value, 'integer') && BigInt.asIntN(64, value.value) !== value.value
      return isLarge ? { kind: 'decimal', value: fromInteger(value.value) } : value
    }
  }
}

export const integerText: RegExp = /^[+-]?[0-9]+$/
const decimalForm = /^[+-]?[0-9]+\.[0-9]+$/
const doubleText = /^[+-]?[0-9]+(?:\.[0-9]+)?[Ee][+-]?[0-9]+$/

/**
 * Reads a text as a value of a kind, or returns undefined. This is how a string takes the type of the other operand.
 *
 * @see OData 4.01 Protocol, 12.2.1 (4.01 Minimal): strings are cast to primitive types in URLs
 */
export function castText(text: string, kind: string): Value | undefined {
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'double':
      return castNumeric(text)
    case 'guid':
      return guidEnd(text, 0) === text.length ? { kind, text: text.toLowerCase() } : undefined
    case 'date':
      return parseDate(text)
    case 'dateTimeOffset':
      return parseDateTimeOffset(text)
    case 'timeOfDay':
      return parseTimeOfDay(text)
    case 'duration':
      return parseDuration(text)
    default:
      return undefined
  }
}

/** Reads a text as an integer, a decimal with a point, or a double. */
export function castNumeric(text: string): NumericValue | undefined {
  if (integerText.test(text)) return integer(BigInt(text))
  if (decimalForm.test(text)) return { kind: 'decimal', value: parseDecimal(text) }
  const double = parseDouble(text)
  return double === undefined ? undefined : { kind: 'double', value: double }
}

function parseDouble(text: string): number | undefined {
  switch (text) {
    case 'INF':
      return Number.POSITIVE_INFINITY
    case '-INF':
      return Number.NEGATIVE_INFINITY
    case 'NaN':
      return Number.NaN
    default:
      return doubleText.test(text) || decimalForm.test(text) || integerText.test(text) ? Number(text) : undefined
  }
}

/** Reads a text, `Red,Blue`, as an enumeration value. The type need not define the members. */
export function enumValue(type: string, text: string, types: TypeTable | undefined): EnumValue {
  return { kind: 'enum', type: typeKey(type, types), text, number: enumNumber(text, enumType(type, types)) }
}

/** The number of the members, or undefined if one of them is unknown. */
function enumNumber(text: string, type: EnumTypeInfo | undefined): bigint | undefined {
  let number = 0n
  for (const name of memberNames(text)) {
    const member = type !== undefined && Object.hasOwn(type.members, name) ? type.members[name] : undefined
    if (member !== undefined) number |= BigInt(member)
    else if (integerText.test(name)) number |= BigInt(name)
    else return undefined
  }
  return number
}

/** The names in the text of an enumeration value. JSON allows spaces between them. */
export function memberNames(text: string): readonly string[] {
  return text.split(',').map(name => name.trim())
}

/** The names of the members with the given number, or the number itself if there are none. */
export function enumText(number: bigint, type: EnumTypeInfo): string {
  const members = Object.entries(type.members)
  const exact = members.find(([, value]) => BigInt(value) === number)
  if (exact !== undefined) return exact[0]
  const parts = members.filter(([, value]) => value !== 0 && (number & BigInt(value)) === BigInt(value))
  const sum = parts.reduce((bits, [, value]) => bits | BigInt(value), 0n)
  return type.flags === true && sum === number ? parts.map(([name]) => name).join(',') : String(number)
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own member of an object. */
export function memberOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
