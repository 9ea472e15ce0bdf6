import { childExpressions, type Expression, type PathExpression } from '../../runtime/query/index.js'
import type { Operation, Service } from '../../spec/language/index.js'
import { rewrite } from '../probes/expressions.js'

/**
 * An expression with the definitions of the service's functions in place of their calls. A call stays if it has no definition, or
 * is not on the item itself with values as its arguments.
 */
export function withDefinitions(expression: Expression, service: Pick<Service, 'operations'>): Expression {
  return rewrite(expression, part => (part.kind === 'path' ? definedCall(part, service) : undefined))
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
  return rewrite(expression, part => (part.kind === 'alias' ? argument(part.name) : undefined))
}

/** Whether an expression calls a function of the service at any depth. */
export function callsServiceFunction(expression: Expression, service: Pick<Service, 'operations'>): boolean {
  if (expression.kind === 'path' && calledFunction(expression, service) !== undefined) return true
  return childExpressions(expression).some(each => callsServiceFunction(each, service))
}
