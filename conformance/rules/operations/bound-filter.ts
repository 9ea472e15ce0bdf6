import type { Expression } from '../../../runtime/query/index.js'
import type { Operation } from '../../../spec/language/index.js'
import { type Arguments, argumentExpression } from './arguments.js'

/** The filter of a meaning with arguments in place of the parameters; absent when one cannot be written. */
export function boundFilter(filter: Expression, { parameters }: Operation, given: Arguments): Expression | undefined {
  let isWhole = true
  const bound = replaced(filter, name => {
    const parameter = parameters.find(each => each.name === name)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const expression = parameter === undefined ? undefined : argumentExpression(value, parameter)
    if (expression === undefined) isWhole = false
    return expression
  })
  return isWhole ? bound : undefined
}

function replaced(expression: Expression, argument: (name: string) => Expression | undefined): Expression {
  const inside = (each: Expression): Expression => replaced(each, argument)
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

/** The property that a filter compares with a parameter, and by which operator. */
export function comparedWith(filter: Expression | undefined, parameter: string): Compared | undefined {
  if (filter === undefined) return undefined
  switch (filter.kind) {
    case 'unary':
      return comparedWith(filter.operand, parameter)
    case 'call':
      return filter.arguments.map(each => comparedWith(each, parameter)).find(each => each !== undefined)
    case 'binary': {
      const name = filter.right.kind === 'alias' && filter.right.name === parameter ? firstName(filter.left) : undefined
      if (name !== undefined) return { name, operator: filter.operator }
      return comparedWith(filter.left, parameter) ?? comparedWith(filter.right, parameter)
    }
    default:
      return undefined
  }
}

export interface Compared {
  readonly name: string
  readonly operator: string
}

function firstName(expression: Expression): string | undefined {
  if (expression.kind === 'call') return expression.arguments.map(firstName).find(name => name !== undefined)
  if (expression.kind !== 'path') return undefined
  const [segment] = expression.segments
  return segment?.kind === 'property' ? segment.name : undefined
}
