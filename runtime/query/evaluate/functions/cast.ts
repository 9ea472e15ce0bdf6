import type { Expression, TypeExpression } from '../../ast.js'
import { EvaluationError } from '../../evaluation-error.js'
import type { TypeTable } from '../../schema.js'
import { castSegment } from '../cast-segment.js'
import { enumText, enumValue, memberNames } from '../enum-value.js'
import type { Environment } from '../environment.js'
import { evaluateExpression } from '../expression.js'
import { castText } from '../text-cast.js'
import { enumType, structuredTypeInfo, typeNamed } from '../type-lookup.js'
import { type Present, string, type Value } from '../value.js'
import { valueText } from '../value-json.js'
import { castToNumber } from './cast-number.js'

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
  if (name.startsWith('Edm.')) return isStructured ? null : castPrimitive(withMembers(value, types), name)
  const info = typeNamed(name, types)
  if (info?.kind === 'typeDefinition') return castSingle(value, info.type, types)
  if (info?.kind === 'enumType') return castToEnum(value, name, types)
  if (isStructured) return castSegment(value, name, types)
  if (structuredTypeInfo(name, types) !== undefined) return null
  throw new EvaluationError(`The type ${name} is not known.`)
}

/** A member of an enumeration, or members of one of flags, by name or by number. */
function castToEnum(value: Present, name: string, types: TypeTable | undefined): Value {
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
function withMembers(value: Present, types: TypeTable | undefined): Present {
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

function castPrimitive(value: Present, type: string): Value {
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

function castBoolean(value: Present): Value {
  if (typeof value === 'boolean') return value
  return value.kind === 'string' && (value.text === 'true' || value.text === 'false') ? value.text === 'true' : null
}
