import type { Expression, Literal, LiteralType } from '../../../runtime/query/index.js'
import type { Parameter, PrimitiveTypeName } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../rule/primitive-of.js'
import { quoted } from '../../rule/quoted.js'

/** What an operation is called with, by parameter. */
export type Arguments = Readonly<Record<string, Json>>

const integers: ReadonlySet<PrimitiveTypeName> = new Set(['Byte', 'SByte', 'Int16', 'Int32', 'Int64'])
const formats = { dateTimeOffset: 'DateTimeOffset', date: 'Date', guid: 'Guid' } as const

/** The argument as a literal of the query language, a collection as a list of them; absent when it cannot be one. */
export function argumentExpression(value: Json | undefined, parameter: Parameter): Expression | undefined {
  if (value === null || value === undefined) return { kind: 'literal', type: 'null', value: null }
  if (Array.isArray(value)) {
    const items = value.map(item => argumentLiteral(item, parameter))
    const literals = items.filter(item => item !== undefined)
    return literals.length === items.length ? { kind: 'list', form: 'parentheses', items: literals } : undefined
  }
  return argumentLiteral(value, parameter)
}

/** The argument as it stands in a path, not encoded, also one that does not fit; absent when it cannot stand there. */
export function argumentText(value: Json | undefined, parameter: Parameter): string | undefined {
  if (value === undefined || Array.isArray(value)) return undefined
  if (value === null) return 'null'
  // What a text must be is no type: in a path it is written as text.
  const { format: _format, ...plain } = parameter
  const literal = argumentLiteral(value, plain)
  if (literal === undefined) return undefined
  const text = String(literal.value)
  return literal.type === 'String' ? quoted(text) : literal.type === 'Duration' ? `duration${quoted(text)}` : text
}

function argumentLiteral(value: Json, parameter: Parameter): Literal | undefined {
  const primitive = primitiveOf(parameter.type)
  if (primitive === undefined || (typeof value === 'object' && value !== null)) return undefined
  if (typeof value === 'boolean') return { kind: 'literal', type: 'Boolean', value }
  const type = parameter.format === undefined ? literalType(primitive) : formats[parameter.format]
  return type === undefined ? undefined : { kind: 'literal', type, value: String(value) }
}

function literalType(primitive: PrimitiveTypeName): Exclude<LiteralType, 'null' | 'Boolean' | 'Enum'> | undefined {
  if (integers.has(primitive)) return 'Integer'
  switch (primitive) {
    case 'String':
    case 'Guid':
    case 'Date':
    case 'DateTimeOffset':
    case 'TimeOfDay':
    case 'Duration':
    case 'Decimal':
    case 'Double':
      return primitive
    default:
      return undefined
  }
}
