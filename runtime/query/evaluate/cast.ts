import type { Expression, TypeExpression } from '../ast.js'
import { enumType, isSubtype, structuredTypeInfo, type TypeTable, typeNamed, unqualified } from '../type-table.js'
import { castText, enumText, enumValue, integerText, memberNames, memberOf, valueText } from './conversion.js'
import { type Decimal, decimalText, fromInteger, parseScientific, round } from './decimal.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import {
  describeValue,
  EvaluationError,
  integer,
  type NonNullValue,
  type StructuredValue,
  string,
  type Value,
} from './value.js'

/**
 * The value as one of another type, or null when it is none.
 *
 * @throws {EvaluationError} when nothing tells the type
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function castFunction(expressions: readonly Expression[], environment: Environment): Value {
  const { value, type } = operandAndType(expressions, environment)
  if (value === null) return null
  return castTo(value, type, environment.options.types)
}

/** Whether the value can be cast to a type. @see OData 4.01 URL Conventions, 5.1.1.10.2 */
export function isofFunction(expressions: readonly Expression[], environment: Environment): Value {
  const { value, type } = operandAndType(expressions, environment)
  if (value === null) return null
  return castTo(value, type, environment.options.types) !== null
}

function operandAndType(
  expressions: readonly Expression[],
  environment: Environment,
): { readonly value: Value; readonly type: TypeExpression } {
  const type = expressions.at(-1)
  if (type?.kind !== 'type') throw new EvaluationError('`cast` and `isof` need a type as their last argument.')
  const [operand] = expressions
  const value =
    expressions.length < 2 || operand === undefined ? environment.row : evaluateExpression(operand, environment)
  return { value, type }
}

function castTo(value: NonNullValue, type: TypeExpression, types: TypeTable | undefined): Value {
  const isCollection = typeof value !== 'boolean' && value.kind === 'collection'
  if (isCollection !== type.collection) return null
  if (!isCollection) return castSingle(value, type.name, types)
  const items = value.items.map(item => (item === null ? null : castSingle(item, type.name, types)))
  return items.some((item, index) => item === null && value.items[index] !== null)
    ? null
    : { kind: 'collection', items }
}

function castSingle(value: NonNullValue, name: string, types: TypeTable | undefined): Value {
  const isStructured = typeof value !== 'boolean' && value.kind === 'structured'
  if (name.startsWith('Edm.')) return isStructured ? null : castPrimitive(withMembers(value, types), name)
  const info = typeNamed(name, types)
  if (info?.kind === 'typeDefinition') return castSingle(value, info.type, types)
  if (info?.kind === 'enumType') return castToEnum(value, name, types)
  if (isStructured) return castSegment(value, name, types)
  if (structuredTypeInfo(name, types) !== undefined) return null
  throw new EvaluationError(`The type ${name} is not known.`)
}

/** A member of an enumeration, or members of one of flags, by name or by number. */
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
  // Flags may be of numbers that no members make up; a table of types does not tell how large they may be.
  const text = enumText(value.value, type)
  return type.flags === true || isMember(text) ? enumValue(name, text, types) : null
}

/** Members go by the text that payloads have for them, however a filter writes them. */
function withMembers(value: NonNullValue, types: TypeTable | undefined): NonNullValue {
  if (typeof value === 'boolean' || value.kind !== 'enum' || value.number === undefined) return value
  const type = enumType(value.type, types)
  return type === undefined ? value : { ...value, text: enumText(value.number, type) }
}

const castKinds: Readonly<Record<string, string>> = {
  'Edm.Guid': 'guid',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'dateTimeOffset',
  'Edm.TimeOfDay': 'timeOfDay',
  'Edm.Duration': 'duration',
}

function castPrimitive(value: NonNullValue, type: string): Value {
  if (type === 'Edm.String') return string(valueText(value))
  if (type === 'Edm.Boolean') return castBoolean(value)
  if (typeof value === 'boolean') return null
  const number = castToNumber(value, type)
  if (number !== undefined) return number
  const kind = Object.hasOwn(castKinds, type) ? castKinds[type] : undefined
  if (kind === undefined) throw new EvaluationError(`A cast to ${type} can only be made by a service.`)
  if (value.kind === kind) return value
  if (value.kind !== 'string') return null
  // A date and time without an offset is one of UTC.
  return (
    castText(value.text, kind) ?? (kind === 'dateTimeOffset' ? castText(`${value.text}Z`, kind) : undefined) ?? null
  )
}

function castBoolean(value: NonNullValue): Value {
  if (typeof value === 'boolean') return value
  return value.kind === 'string' && (value.text === 'true' || value.text === 'false') ? value.text === 'true' : null
}

const integerRanges: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  'Edm.SByte': [-128n, 127n],
  'Edm.Byte': [0n, 255n],
  'Edm.Int16': [-32_768n, 32_767n],
  'Edm.Int32': [-2_147_483_648n, 2_147_483_647n],
  'Edm.Int64': [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
}

/** The texts that are no digits, of floating-point numbers alone. */
const words: Readonly<Record<string, number>> = {
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
}

/**
 * A value as one of a numeric type, rounded where that has to be, halves away from zero; null when it does not fit, or when
 * a text is no literal of that type. Undefined: the type is not numeric.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
function castToNumber(value: Exclude<NonNullValue, boolean>, type: string): Value | undefined {
  const range = Object.hasOwn(integerRanges, type) ? integerRanges[type] : undefined
  const isFloating = type === 'Edm.Double' || type === 'Edm.Single'
  if (range === undefined && !isFloating && type !== 'Edm.Decimal') return undefined
  if (range !== undefined && value.kind === 'string' && !integerText.test(value.text)) return null
  const number = numberOf(value)
  if (number === undefined) return null
  if (isFloating) return floating(number, type === 'Edm.Single')
  if (typeof number === 'number') return null
  if (range === undefined) return { kind: 'decimal', value: number }
  const rounded = round(number)
  return rounded >= range[0] && rounded <= range[1] ? integer(rounded) : null
}

/** The exact number, that of the fewest digits for a double; as a number only what has no digits. */
function numberOf(value: Exclude<NonNullValue, boolean>): Decimal | number | undefined {
  switch (value.kind) {
    case 'integer':
      return fromInteger(value.value)
    case 'decimal':
      return value.value
    case 'double':
      return Number.isFinite(value.value) ? parseScientific(String(value.value)) : value.value
    case 'enum':
      return value.number === undefined ? undefined : fromInteger(value.number)
    case 'string':
      return Object.hasOwn(words, value.text) ? words[value.text] : parseScientific(value.text)
    default:
      return undefined
  }
}

/** What would become infinite does not fit. */
function floating(number: Decimal | number, isSingle: boolean): Value {
  const double = typeof number === 'number' ? number : Number(decimalText(number))
  const value = isSingle ? Math.fround(double) : double
  return Number.isFinite(value) || typeof number === 'number' ? { kind: 'double', value } : null
}

/** The item if it is of the type, else null; of a collection, the items that are. @see OData URL Conventions 4.01, 4.11 */
export function castSegment(value: Exclude<Value, null>, type: string, types: TypeTable | undefined): Value {
  if (typeof value !== 'boolean') {
    if (value.kind === 'structured') return isOfType(value, type, types) ? value : null
    if (value.kind === 'collection') {
      const items = value.items.filter(item => item !== null && castSegment(item, type, types) !== null)
      return { kind: 'collection', items }
    }
  }
  throw new EvaluationError(`${describeValue(value)} cannot be cast to the type ${type}.`)
}

/** Whether an item is of a structured type or one derived from it. @throws {EvaluationError} when nothing tells its type */
function isOfType(item: StructuredValue, type: string, types: TypeTable | undefined): boolean {
  if (item.type !== undefined && structuredTypeInfo(item.type, types) !== undefined) {
    return isSubtype(item.type, type, types)
  }
  const named = memberOf(item.json, '@odata.type') ?? memberOf(item.json, '@type')
  if (typeof named === 'string' && unqualified(named) === unqualified(type)) return true
  throw new EvaluationError(`Whether an item is of the type ${type} can only be told with a table of types.`)
}
