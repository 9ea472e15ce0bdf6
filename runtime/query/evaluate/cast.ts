import type { TypeExpression } from '../ast.js'
import { isBinary } from '../literal-formats.js'
import { isCastFromText, isNumericTypeName, primitiveType } from '../primitive-types.js'
import { enumType, isSubtype, structuredTypeInfo, type TypeTable, typeNamed, unqualified } from '../type-table.js'
import { castText, enumText, enumValue, integerText, memberNames, memberOf, valueText } from './conversion.js'
import { type Decimal, decimalText, fromInteger, parseScientific, round } from './decimal.js'
import {
  describeValue,
  EvaluationError,
  integer,
  isOfKind,
  type NonNullValue,
  type StructuredValue,
  string,
  type Value,
} from './value.js'

/**
 * The value of `cast`: the value as one of another type, or null. The value of `isof`: whether the cast is possible.
 *
 * @throws {EvaluationError} when the type is unknown
 * @see OData 4.01 URL Conventions, 5.1.1.10
 */
export function evaluateTypeFunction(
  name: 'cast' | 'isof',
  value: Value,
  type: TypeExpression,
  types: TypeTable | undefined,
): Value {
  if (value === null) return null
  const cast = castTo(value, type, types)
  return name === 'cast' ? cast : cast !== null
}

function castTo(value: NonNullValue, type: TypeExpression, types: TypeTable | undefined): Value {
  if (isOfKind(value, 'collection') !== type.collection) return null
  if (!isOfKind(value, 'collection')) return castSingle(value, type.name, types)
  const items = value.items.map(item => (item === null ? null : castSingle(item, type.name, types)))
  return items.some((item, index) => item === null && value.items[index] !== null)
    ? null
    : { kind: 'collection', items }
}

function castSingle(value: NonNullValue, name: string, types: TypeTable | undefined): Value {
  const isStructured = isOfKind(value, 'structured')
  if (name.startsWith('Edm.')) return isStructured ? null : castPrimitive(withMembers(value, types), name)
  const info = typeNamed(name, types)
  if (info?.kind === 'typeDefinition') return castSingle(value, info.type, types)
  if (info?.kind === 'enumType') return castToEnum(value, name, types)
  if (isStructured) return castSegment(value, name, types)
  if (structuredTypeInfo(name, types) !== undefined) return null
  throw new EvaluationError(`The type ${name} is unknown.`)
}

/** A member of an enumeration, or members of a flags enumeration, by name or number. */
function castToEnum(value: NonNullValue, name: string, types: TypeTable | undefined): Value {
  const type = enumType(name, types)
  if (type === undefined || typeof value === 'boolean') return null
  const isMember = (text: string): boolean => Object.hasOwn(type.members, text)
  if (value.kind === 'enum') return value.type === enumValue(name, value.text, types).type ? value : null
  if (value.kind === 'string') {
    const names = memberNames(value.text)
    const isKnown = type.flags === true ? names.every(isMember) : isMember(value.text)
    return isKnown ? enumValue(name, value.text, types) : null
  }
  if (value.kind !== 'integer' || castToNumber(value, 'Edm.Int64') === null) return null
  // Flags can have numbers that no members add up to. The type table does not limit them.
  const text = enumText(value.value, type)
  return type.flags === true || isMember(text) ? enumValue(name, text, types) : null
}

/** An enumeration value with the text of payloads, which can differ from the text of a filter. */
function withMembers(value: NonNullValue, types: TypeTable | undefined): NonNullValue {
  if (!isOfKind(value, 'enum') || value.number === undefined) return value
  const type = enumType(value.type, types)
  return type === undefined ? value : { ...value, text: enumText(value.number, type) }
}

function castPrimitive(value: NonNullValue, type: string): Value {
  if (type === 'Edm.String') return string(valueText(value))
  if (type === 'Edm.Boolean') return castBoolean(value)
  if (typeof value === 'boolean') return null
  const number = castToNumber(value, type)
  if (number !== undefined) return number
  if (type === 'Edm.Binary') return castBinary(value)
  if (!isCastFromText(type)) throw new EvaluationError(`Only a service can evaluate a cast to ${type}.`)
  const kind = primitiveType(type)?.kind ?? ''
  if (value.kind === kind) return value
  if (value.kind !== 'string') return null
  // A date and time without an offset is in UTC.
  return (
    castText(value.text, kind) ?? (kind === 'dateTimeOffset' ? castText(`${value.text}Z`, kind) : undefined) ?? null
  )
}

/** Binary data, or that of a text in base64url. @see OData ABNF, `binaryValue` */
function castBinary(value: Exclude<NonNullValue, boolean>): Value {
  if (value.kind === 'binary') return value
  return value.kind === 'string' && isBinary(value.text)
    ? { kind: 'binary', text: value.text.replace(/=+$/, '') }
    : null
}

function castBoolean(value: NonNullValue): Value {
  if (typeof value === 'boolean') return value
  return value.kind === 'string' && (value.text === 'true' || value.text === 'false') ? value.text === 'true' : null
}

/** The texts of floating-point numbers without digits. */
const nonFiniteNumbers: Readonly<Record<string, number>> = {
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
}

/**
 * The value as one of a numeric type, rounded if necessary, halves away from zero; null if it is out of range or a text is not
 * a literal of the type. Undefined if the type is not numeric.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
function castToNumber(value: Exclude<NonNullValue, boolean>, type: string): Value | undefined {
  if (!isNumericTypeName(type)) return undefined
  const range = primitiveType(type)?.range
  if (range !== undefined && value.kind === 'string' && !integerText.test(value.text)) return null
  const number = numberOf(value)
  if (number === undefined) return null
  if (type === 'Edm.Double' || type === 'Edm.Single') return castToDouble(number, type === 'Edm.Single')
  if (typeof number === 'number') return null
  if (range === undefined) return { kind: 'decimal', value: number }
  const rounded = round(number)
  return rounded >= range[0] && rounded <= range[1] ? integer(rounded) : null
}

/** The exact number. For a double, the shortest one; a JavaScript number only for NaN and infinity. */
function numberOf(value: Exclude<NonNullValue, boolean>): Decimal | number | undefined {
  switch (value.kind) {
    case 'integer':
      return fromInteger(value.value)
    case 'decimal':
      return value.value
    case 'double':
      return Number.isFinite(value.value) ? parseScientific(value.value) : value.value
    case 'enum':
      return value.number === undefined ? undefined : fromInteger(value.number)
    case 'string':
      return Object.hasOwn(nonFiniteNumbers, value.text) ? nonFiniteNumbers[value.text] : parseScientific(value.text)
    default:
      return undefined
  }
}

/** Null if a finite number would become infinite. */
function castToDouble(number: Decimal | number, isSingle: boolean): Value {
  const double = typeof number === 'number' ? number : Number(decimalText(number))
  const value = isSingle ? Math.fround(double) : double
  return Number.isFinite(value) || typeof number === 'number' ? { kind: 'double', value } : null
}

/** The item if it is of the type, or null; of a collection, the items of the type. @see OData URL Conventions 4.01, 4.11 */
export function castSegment(value: NonNullValue, type: string, types: TypeTable | undefined): Value {
  if (isOfKind(value, 'structured')) return isOfType(value, type, types) ? value : null
  if (isOfKind(value, 'collection')) {
    const items = value.items.filter(item => item !== null && castSegment(item, type, types) !== null)
    return { kind: 'collection', items }
  }
  throw new EvaluationError(`Cannot cast ${describeValue(value)} to the type ${type}.`)
}

/** Whether an item is of a structured type or a derived one. @throws {EvaluationError} when its type is unknown */
function isOfType(item: StructuredValue, type: string, types: TypeTable | undefined): boolean {
  if (item.type !== undefined && structuredTypeInfo(item.type, types) !== undefined) {
    return isSubtype(item.type, type, types)
  }
  const named = memberOf(item.json, '@odata.type') ?? memberOf(item.json, '@type')
  if (typeof named === 'string' && unqualified(named) === unqualified(type)) return true
  throw new EvaluationError(`A check for the type ${type} needs a type table.`)
}
