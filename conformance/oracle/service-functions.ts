import { childExpressions, type Expression, type PathExpression } from '../../runtime/query/index.js'
import type { Operation, Service } from '../../spec/language/index.js'

/**
 * An expression with the definitions of the service's functions in place of their calls. A call stays if it has no definition, or
 * is not on the item itself with values as its arguments.
 */
export function withDefinitions(expression: Expression, service: Pick<Service, 'operations'>): Expression {
  const inside = (part: Expression): Expression => withDefinitions(part, service)
  switch (expression.kind) {
    case 'path':
      return definedCall(expression, service) ?? expression
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

/** The function that a path calls on the item itself. */
export function calledFunction(
  path: PathExpression,
  { operations }: Pick<Service, 'operations'>,
): Operation | undefined {
  const [segment, ...others] = path.segments
  if (others.length > 0 || segment?.kind !== 'function' || (path.root !== undefined && path.root.kind !== 'it')) {
    return undefined
  }
  return operations.find(({ qualifiedName, definition }) => qualifiedName === segment.name && definition !== undefined)
}

function definedCall(path: PathExpression, service: Pick<Service, 'operations'>): Expression | undefined {
  const operation = calledFunction(path, service)
  const [segment] = path.segments
  if (operation?.definition === undefined || segment?.kind !== 'function') return undefined
  const values = new Map(segment.parameters.map(({ name, value }) => [name, value]))
  if ([...values.values()].some(value => value.kind !== 'literal' && value.kind !== 'list')) return undefined
  const nothing: Expression = { kind: 'literal', type: 'null', value: null }
  const bound = replaceAliases(operation.definition, name => values.get(name) ?? nothing)
  return withDefinitions(bound, service)
}

/** An expression with other expressions in place of its aliases. Those inside paths stay. */
export function replaceAliases(expression: Expression, argument: (name: string) => Expression | undefined): Expression {
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

/** Whether an expression calls a function of the service at any depth. */
export function callsServiceFunction(expression: Expression, service: Pick<Service, 'operations'>): boolean {
  if (expression.kind === 'path' && calledFunction(expression, service) !== undefined) return true
  return childExpressions(expression).some(each => callsServiceFunction(each, service))
}
