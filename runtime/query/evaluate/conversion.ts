import type { Literal } from '../ast.js'
import { guidEnd } from '../literal-formats.js'
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
import { type EnumValue, EvaluationError, integer, type NumericValue, string, type Value } from './value.js'

/**
 * The value of a JSON value from a row, read as the declared type if there is one. A number without a declared type is an
 * integer or an exact decimal; a string takes on the type of what it meets.
 *
 * @throws {EvaluationError} when the JSON value does not fit the declared type
 */
export function jsonValue(json: unknown, type: string | undefined, types: TypeTable | undefined): Value {
  if (json === null || json === undefined) return null
  if (Array.isArray(json))
    return { kind: 'collection', items: json.map((item: unknown) => jsonValue(item, type, types)) }
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
      if (!isJsonObject(json)) throw new EvaluationError(`${typeof json} is no value of JSON.`)
      return { kind: 'structured', json, type: actualType(json, type, types) }
  }
}

/** The type that an item names itself, when the table has it; otherwise the declared one. */
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

const textKinds: Readonly<Record<string, string>> = {
  'Edm.Guid': 'guid',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'dateTimeOffset',
  'Edm.TimeOfDay': 'timeOfDay',
  'Edm.Duration': 'duration',
}

function primitiveValue(json: unknown, type: string): Value {
  if (typeof json === 'boolean') return type === 'Edm.Boolean' ? json : wrongJson(json, type)
  switch (type) {
    case 'Edm.String':
      return typeof json === 'string' ? string(json) : wrongJson(json, type)
    case 'Edm.Binary':
    case 'Edm.Stream':
      return { kind: 'binary', text: String(json) }
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Int64':
    case 'Edm.Decimal':
    case 'Edm.Double':
    case 'Edm.Single':
      return numericValue(json, type)
    default:
      break
  }
  if (type.startsWith('Edm.Geo'))
    return { kind: type.startsWith('Edm.Geog') ? 'geography' : 'geometry', text: JSON.stringify(json) }
  const kind = Object.hasOwn(textKinds, type) ? textKinds[type] : undefined
  if (kind === undefined) return untypedValue(json, undefined, undefined)
  return (typeof json === 'string' ? castText(json, kind) : undefined) ?? wrongJson(json, type)
}

/** A number, or the text of one, as services write Int64 and Decimal when asked for exactness. */
function numericValue(json: unknown, type: string): NumericValue {
  if (typeof json !== 'number' && typeof json !== 'string' && typeof json !== 'bigint') return wrongJson(json, type)
  if (type === 'Edm.Double' || type === 'Edm.Single') {
    const value = typeof json === 'string' ? parseDouble(json) : Number(json)
    return value === undefined ? wrongJson(json, type) : { kind: 'double', value }
  }
  const value = typeof json === 'number' ? numberValue(json) : castNumeric(String(json))
  if (type !== 'Edm.Decimal') return value?.kind === 'integer' ? value : wrongJson(json, type)
  if (value === undefined) return wrongJson(json, type)
  if (value.kind === 'integer') return { kind: 'decimal', value: fromInteger(value.value) }
  // Whoever writes the JSON may write a small decimal with an exponent.
  const exact = value.kind === 'double' ? parseScientific(String(value.value)) : undefined
  return exact === undefined ? value : { kind: 'decimal', value: exact }
}

function wrongJson(json: unknown, type: string): never {
  throw new EvaluationError(
    `The row holds ${typeof json === 'bigint' ? json : JSON.stringify(json)} where a value of ${type} is declared.`,
  )
}

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: unknown }

/** A value as JSON would carry it; a number that a JavaScript number cannot hold exactly is text. */
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

/** The text of a primitive value as payloads carry it. */
export function valueText(value: Exclude<Value, null>): string {
  if (typeof value === 'boolean') return String(value)
  switch (value.kind) {
    case 'integer':
      return String(value.value)
    case 'decimal':
      return decimalText(value.value)
    case 'double':
      return Number.isFinite(value.value) || Number.isNaN(value.value)
        ? String(value.value)
        : value.value > 0
          ? 'INF'
          : '-INF'
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

/** What a literal stands for. */
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
      if (value === undefined) throw new EvaluationError(`${JSON.stringify(literal.value)} is no ${literal.type}.`)
      return value
    }
  }
}

/** How a text writes a whole number. */
export const integerText: RegExp = /^[+-]?[0-9]+$/
const decimalForm = /^[+-]?[0-9]+\.[0-9]+$/
const doubleText = /^[+-]?[0-9]+(?:\.[0-9]+)?[Ee][+-]?[0-9]+$/

/**
 * The value of a kind that a text stands for, or undefined: how a string takes on the type of what it is compared with.
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

/** The number that a text stands for: an integer, a decimal with a point, or a double. */
export function castNumeric(text: string): NumericValue | undefined {
  if (integerText.test(text)) return integer(BigInt(text))
  if (decimalForm.test(text)) return { kind: 'decimal', value: parseDecimal(text) }
  const double = parseDouble(text)
  return double === undefined ? undefined : { kind: 'double', value: double }
}

/** The double that a text stands for, `INF` and `NaN` included. */
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

const signedInteger = /^[+-]?[0-9]+$/

/** The members named in a text, `Red,Blue`, as a value of an enumeration; also those that the type does not know. */
export function enumValue(type: string, text: string, types: TypeTable | undefined): EnumValue {
  return { kind: 'enum', type: typeKey(type, types), text, number: enumNumber(text, enumType(type, types)) }
}

/** The number of the members named in a text, or undefined when one of them is not known. */
function enumNumber(text: string, type: EnumTypeInfo | undefined): bigint | undefined {
  let number = 0n
  for (const name of memberNames(text)) {
    const member = type !== undefined && Object.hasOwn(type.members, name) ? type.members[name] : undefined
    if (member !== undefined) number |= BigInt(member)
    else if (signedInteger.test(name)) number |= BigInt(name)
    else return undefined
  }
  return number
}

/** The members of a text, without the spaces that JSON allows between them. */
export function memberNames(text: string): readonly string[] {
  return text.split(',').map(name => name.trim())
}

/** The text of the member or members that a number stands for; the number itself when no members do. */
export function enumText(number: bigint, type: EnumTypeInfo): string {
  const members = Object.entries(type.members)
  const exact = members.find(([, value]) => BigInt(value) === number)
  if (exact !== undefined) return exact[0]
  const parts = members.filter(([, value]) => value !== 0 && (number & BigInt(value)) === BigInt(value))
  const sum = parts.reduce((bits, [, value]) => bits | BigInt(value), 0n)
  return type.flags === true && sum === number ? parts.map(([name]) => name).join(',') : String(number)
}

/** Whether a value is an object of JSON, neither null nor an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of its own, or undefined. */
export function memberOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
