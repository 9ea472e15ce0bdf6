import type { Expression, TypeExpression } from '../../ast.js'
import { EvaluationError } from '../../evaluation-error.js'
import type { TypeTable } from '../../schema.js'
import { castSegment } from '../cast-segment.js'
import { type Decimal, fromInteger, parseDecimal, round } from '../decimal.js'
import { enumNumber, enumText, enumValue } from '../enum-value.js'
import type { Environment } from '../environment.js'
import { evaluateExpression } from '../expression.js'
import { isNumeric, toDecimal, toDouble } from '../numeric.js'
import { castText, parseDouble, parseNumeric } from '../text-cast.js'
import { enumType, structuredType, typeNamed } from '../type-lookup.js'
import { integer, type NumericValue, string, type Value } from '../value.js'
import { valueText } from '../value-json.js'
import type { Present } from './function.js'

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

function castTo(value: Present, type: TypeExpression, types: TypeTable | undefined): Value {
  const isCollection = typeof value !== 'boolean' && value.kind === 'collection'
  if (isCollection !== type.collection) return null
  if (!isCollection) return castSingle(value, type.name, types)
  const items = value.items.map(item => (item === null ? null : castSingle(item, type.name, types)))
  return items.some((item, index) => item === null && value.items[index] !== null)
    ? null
    : { kind: 'collection', items }
}

function castSingle(value: Present, name: string, types: TypeTable | undefined): Value {
  const isStructured = typeof value !== 'boolean' && value.kind === 'structured'
  if (name.startsWith('Edm.')) return isStructured ? null : castPrimitive(value, name)
  const info = typeNamed(name, types)
  if (info?.kind === 'typeDefinition') return castSingle(value, info.type, types)
  if (info?.kind === 'enumType') return castToEnum(value, name, types)
  if (isStructured) return castSegment(value, name, types)
  if (structuredType(name, types) !== undefined) return null
  throw new EvaluationError(`The type ${name} is not known.`)
}

function castToEnum(value: Present, name: string, types: TypeTable | undefined): Value {
  const type = enumType(name, types)
  if (type === undefined || typeof value === 'boolean') return null
  if (value.kind === 'enum') return value.type === enumValue(name, value.text, types).type ? value : null
  if (value.kind === 'string')
    return enumNumber(value.text, type) === undefined ? null : enumValue(name, value.text, types)
  if (value.kind !== 'integer') return null
  const text = enumText(value.value, type)
  const isKnown = type.flags === true || Object.hasOwn(type.members, text)
  return isKnown ? enumValue(name, text, types) : null
}

const integerRanges: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  'Edm.SByte': [-128n, 127n],
  'Edm.Byte': [0n, 255n],
  'Edm.Int16': [-32_768n, 32_767n],
  'Edm.Int32': [-2_147_483_648n, 2_147_483_647n],
  'Edm.Int64': [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
}

const kinds: Readonly<Record<string, string>> = {
  'Edm.Guid': 'guid',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'dateTimeOffset',
  'Edm.TimeOfDay': 'timeOfDay',
  'Edm.Duration': 'duration',
}

function castPrimitive(value: Present, type: string): Value {
  if (type === 'Edm.String') return string(valueText(value))
  if (type === 'Edm.Boolean') return castBoolean(value)
  if (typeof value === 'boolean') return null
  const range = Object.hasOwn(integerRanges, type) ? integerRanges[type] : undefined
  if (range !== undefined || type === 'Edm.Decimal' || type === 'Edm.Double' || type === 'Edm.Single') {
    const number = numberOf(value)
    return number === undefined ? null : castNumber(number, type, range)
  }
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) throw new EvaluationError(`A cast to ${type} can only be made by a service.`)
  if (value.kind === kind) return value
  if (value.kind !== 'string') return null
  // A date and time without an offset is one of UTC.
  return (
    castText(value.text, kind) ?? (kind === 'dateTimeOffset' ? castText(`${value.text}Z`, kind) : undefined) ?? null
  )
}

function castBoolean(value: Present): Value {
  if (typeof value === 'boolean') return value
  return value.kind === 'string' && (value.text === 'true' || value.text === 'false') ? value.text === 'true' : null
}

function numberOf(value: Exclude<Present, boolean>): NumericValue | undefined {
  if (isNumeric(value)) return value
  if (value.kind === 'enum') return value.number === undefined ? undefined : integer(value.number)
  if (value.kind !== 'string') return undefined
  const double = parseDouble(value.text)
  return parseNumeric(value.text) ?? (double === undefined ? undefined : { kind: 'double', value: double })
}

function castNumber(number: NumericValue, type: string, range: readonly [bigint, bigint] | undefined): Value {
  if (type === 'Edm.Double') return { kind: 'double', value: toDouble(number) }
  if (type === 'Edm.Single') return { kind: 'double', value: Math.fround(toDouble(number)) }
  const decimal = number.kind === 'double' ? decimalOf(number.value) : toDecimal(number)
  if (decimal === undefined) return null
  if (range === undefined) return { kind: 'decimal', value: decimal }
  const rounded = round(decimal)
  return rounded >= range[0] && rounded <= range[1] ? integer(rounded) : null
}

function decimalOf(double: number): Decimal | undefined {
  if (!Number.isFinite(double)) return undefined
  const text = String(double)
  if (!text.includes('e')) return parseDecimal(text)
  return Number.isInteger(double) ? fromInteger(BigInt(double)) : parseDecimal(double.toFixed(20))
}
