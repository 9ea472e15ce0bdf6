import type { Expression, Literal, LiteralType } from '../../../runtime/query/index.js'
import { isIntegerType, type Operation, type Parameter, type PrimitiveTypeName } from '../../../spec/language/index.js'
import { isRow, type Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { quoteString } from '../../rule/query-request.js'

/** Arguments by parameter name. */
export type Arguments = Readonly<Record<string, Json>>

const formats = { dateTimeOffset: 'DateTimeOffset', date: 'Date', guid: 'Guid' } as const

/** The argument as a literal, or a list of literals for a collection. Undefined if it cannot be written as one. */
function argumentExpression(value: Json | undefined, parameter: Parameter): Expression | undefined {
  if (value === null || value === undefined) return { kind: 'literal', type: 'null', value: null }
  if (Array.isArray(value)) {
    const items = value.map(item => argumentLiteral(item, parameter))
    const literals = items.filter(item => item !== undefined)
    return literals.length === items.length ? { kind: 'list', form: 'parentheses', items: literals } : undefined
  }
  return argumentLiteral(value, parameter)
}

/**
 * The argument as path text before percent-encoding, even if it is invalid. Undefined if it cannot be written in a path.
 */
export function argumentText(value: Json | undefined, parameter: Parameter): string | undefined {
  if (value === undefined || Array.isArray(value)) return undefined
  if (value === null) return 'null'
  // A format is not a type: in a path, the argument is a string literal.
  const { format: _format, ...plain } = parameter
  const literal = argumentLiteral(value, plain)
  if (literal === undefined) return undefined
  const text = String(literal.value)
  return literal.type === 'String'
    ? quoteString(text)
    : literal.type === 'Duration'
      ? `duration${quoteString(text)}`
      : text
}

function argumentLiteral(value: Json, parameter: Parameter): Literal | undefined {
  const primitive = primitiveOf(parameter.type)
  if (primitive === undefined || (typeof value === 'object' && value !== null)) return undefined
  if (typeof value === 'boolean') return { kind: 'literal', type: 'Boolean', value }
  const type = parameter.format === undefined ? literalType(primitive) : formats[parameter.format]
  return type === undefined ? undefined : { kind: 'literal', type, value: String(value) }
}

function literalType(primitive: PrimitiveTypeName): Exclude<LiteralType, 'null' | 'Boolean' | 'Enum'> | undefined {
  if (isIntegerType(primitive)) return 'Integer'
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

/** Parses the arguments of a case. Undefined if there are none. */
export function parseArguments(text: string | undefined): Arguments | undefined {
  if (text === undefined) return undefined
  const parsed: unknown = JSON.parse(text)
  return isRow(parsed) && Object.values(parsed).every(isJson) ? Object.fromEntries(entries(parsed)) : undefined
}

function entries(row: Readonly<Record<string, unknown>>): readonly (readonly [string, Json])[] {
  return Object.entries(row).flatMap(([name, value]) => (isJson(value) ? [[name, value] as const] : []))
}

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return true
  return Array.isArray(value) ? value.every(isJson) : isRow(value) && Object.values(value).every(isJson)
}

/**
 * The filter of an operation with its parameters replaced by arguments. Undefined if an argument cannot be written as a
 * literal.
 */
export function bindArguments(filter: Expression, { parameters }: Operation, given: Arguments): Expression | undefined {
  let isWhole = true
  const bound = replaceAliases(filter, name => {
    const parameter = parameters.find(each => each.name === name)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const expression = parameter === undefined ? undefined : argumentExpression(value, parameter)
    if (expression === undefined) isWhole = false
    return expression
  })
  return isWhole ? bound : undefined
}

function replaceAliases(expression: Expression, argument: (name: string) => Expression | undefined): Expression {
  const inside = (each: Expression): Expression => replaceAliases(each, argument)
  switch (expression.kind) {
    case 'alias':
      return argument(expression.name) ?? expression
    case 'unary':
      return { ...expression, operand: inside(expression.operand) }
    case 'binary':
      return { ...expression, left: inside(expression.left), right: inside(expression.right) }
    case 'call':
      return { ...expression, arguments: expression.arguments.map(inside) }
    case 'list':
      return { ...expression, items: expression.items.map(inside) }
    case 'lambda':
      return expression.predicate === undefined
        ? expression
        : { ...expression, predicate: inside(expression.predicate) }
    default:
      return expression
  }
}

/** The property and the operator with which a filter compares a parameter. */
export function comparisonWith(filter: Expression | undefined, parameter: string): ComparedProperty | undefined {
  if (filter === undefined) return undefined
  switch (filter.kind) {
    case 'unary':
      return comparisonWith(filter.operand, parameter)
    case 'call':
      return filter.arguments.map(each => comparisonWith(each, parameter)).find(each => each !== undefined)
    case 'binary': {
      const name = filter.right.kind === 'alias' && filter.right.name === parameter ? firstName(filter.left) : undefined
      if (name !== undefined) return { name, operator: filter.operator }
      return comparisonWith(filter.left, parameter) ?? comparisonWith(filter.right, parameter)
    }
    default:
      return undefined
  }
}

export interface ComparedProperty {
  readonly name: string
  readonly operator: string
}

function firstName(expression: Expression): string | undefined {
  if (expression.kind === 'call') return expression.arguments.map(firstName).find(name => name !== undefined)
  if (expression.kind !== 'path') return undefined
  const [segment] = expression.segments
  return segment?.kind === 'property' ? segment.name : undefined
}
