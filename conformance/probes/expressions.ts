import {
  type BinaryOperator,
  childExpressions,
  type Expression,
  type Literal,
  type PathExpression,
  type PathSegment,
} from '../../runtime/query/index.js'
import type { Operation, Service } from '../../spec/language/index.js'

/** A path from the row, or from a lambda variable. */
export function pathTo(names: readonly string[], variable?: string): PathExpression {
  const segments = names.map(name => ({ kind: 'property', name }) as const)
  if (variable === undefined) return { kind: 'path', segments }
  return { kind: 'path', root: { kind: 'variable', name: variable }, segments }
}

export function stringLiteral(value: string): Literal {
  return { kind: 'literal', type: 'String', value }
}

export function integerLiteral(value: number): Literal {
  return { kind: 'literal', type: 'Integer', value: String(value) }
}

export const nullLiteral: Literal = { kind: 'literal', type: 'null', value: null }

export function booleanLiteral(value: boolean): Literal {
  return { kind: 'literal', type: 'Boolean', value }
}

export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right }
}

export function not(operand: Expression): Expression {
  return { kind: 'unary', operator: 'not', operand }
}

export function call(name: string, ...given: readonly Expression[]): Expression {
  return { kind: 'call', function: name, arguments: given }
}

/** Joins at least one condition, left-associative. */
export function joinConditions(
  operator: 'and' | 'or',
  first: Expression,
  ...others: readonly Expression[]
): Expression {
  return others.reduce((left, right) => binary(operator, left, right), first)
}

/** The conditions that a chain of one operator joins; a condition of another kind alone. */
export function operandsOf(expression: Expression, operator: 'and' | 'or'): readonly Expression[] {
  if (expression.kind !== 'binary' || expression.operator !== operator) return [expression]
  return [...operandsOf(expression.left, operator), ...operandsOf(expression.right, operator)]
}

/** Rewrites an expression bottom-up. Returns the same object if nothing changes. */
export function rewrite(expression: Expression, change: (part: Expression) => Expression | undefined): Expression {
  const inner = rewriteParts(expression, change)
  return change(inner) ?? inner
}

function rewriteParts(expression: Expression, change: (part: Expression) => Expression | undefined): Expression {
  switch (expression.kind) {
    case 'unary': {
      const operand = rewrite(expression.operand, change)
      return operand === expression.operand ? expression : { ...expression, operand }
    }
    case 'binary': {
      const left = rewrite(expression.left, change)
      const right = rewrite(expression.right, change)
      return left === expression.left && right === expression.right ? expression : { ...expression, left, right }
    }
    case 'call': {
      const given = expression.arguments.map(argument => rewrite(argument, change))
      return given.every((argument, index) => argument === expression.arguments[index])
        ? expression
        : { ...expression, arguments: given }
    }
    case 'lambda': {
      if (expression.predicate === undefined) return expression
      const predicate = rewrite(expression.predicate, change)
      return predicate === expression.predicate ? expression : { ...expression, predicate }
    }
    case 'list': {
      const items = expression.items.map(item => rewrite(item, change))
      return items.every((item, index) => item === expression.items[index]) ? expression : { ...expression, items }
    }
    default:
      return expression
  }
}

/** Rewrites an expression. Returns `undefined` if nothing changes. */
export function rewriteChanged(
  expression: Expression,
  change: (part: Expression) => Expression | undefined,
): Expression | undefined {
  const result = rewrite(expression, change)
  return result === expression ? undefined : result
}

/** Rewrites string literals. */
export function rewriteStrings(change: (text: string) => string): (expression: Expression) => Expression | undefined {
  return expression =>
    rewriteChanged(expression, part => {
      if (part.kind !== 'literal' || part.type !== 'String') return undefined
      const value = change(part.value)
      return value === part.value ? undefined : { ...part, value }
    })
}

export function isNullLiteral(expression: Expression): boolean {
  return expression.kind === 'literal' && expression.type === 'null'
}

export const falseLiteral: Literal = { kind: 'literal', type: 'Boolean', value: false }
export const trueLiteral: Literal = { kind: 'literal', type: 'Boolean', value: true }

/** Whether any part of an expression satisfies a predicate. */
export function hasPart(expression: Expression, isIt: (part: Expression) => boolean): boolean {
  if (isIt(expression)) return true
  switch (expression.kind) {
    case 'unary':
      return hasPart(expression.operand, isIt)
    case 'binary':
      return hasPart(expression.left, isIt) || hasPart(expression.right, isIt)
    case 'call':
      return expression.arguments.some(argument => hasPart(argument, isIt))
    case 'lambda':
      return expression.predicate !== undefined && hasPart(expression.predicate, isIt)
    default:
      return false
  }
}

/** Counts operators, functions, paths and literals. */
export function nodeCount(expression: Expression): number {
  switch (expression.kind) {
    case 'unary':
      return 1 + nodeCount(expression.operand)
    case 'binary':
      return 1 + nodeCount(expression.left) + nodeCount(expression.right)
    case 'call':
      return expression.arguments.reduce((sum, argument) => sum + nodeCount(argument), 1)
    case 'lambda':
      return 2 + (expression.predicate === undefined ? 0 : nodeCount(expression.predicate))
    case 'list':
      return expression.items.reduce((sum, item) => sum + nodeCount(item), 1)
    default:
      return 1
  }
}

/** The properties of a row that an expression reads; absent if it may read others. */
export function propertiesReadBy(expression: Expression): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  return collectProperties(expression, names) ? names : undefined
}

function collectProperties(expression: Expression, names: Set<string>): boolean {
  switch (expression.kind) {
    case 'literal':
      return true
    case 'path': {
      const { root, segments } = expression
      if (!segments.every(staysInside)) return false
      if (root !== undefined) return root.kind === 'variable'
      const [first] = segments
      if (first?.kind !== 'property') return false
      names.add(first.name)
      return true
    }
    case 'unary':
      return collectProperties(expression.operand, names)
    case 'binary':
      return collectProperties(expression.left, names) && collectProperties(expression.right, names)
    case 'call':
      // A function with only a type argument inspects the row itself.
      return expression.arguments.every((argument, index) =>
        argument.kind === 'type' ? index > 0 : collectProperties(argument, names),
      )
    case 'lambda':
      return (
        collectProperties(expression.collection, names) &&
        (expression.predicate === undefined || collectProperties(expression.predicate, names))
      )
    case 'list':
      return expression.items.every(item => collectProperties(item, names))
    default:
      return false
  }
}

/** Whether a path segment depends only on the value it starts from. */
function staysInside(segment: PathSegment): boolean {
  switch (segment.kind) {
    case 'property':
    case 'cast':
      return true
    case 'key':
      return segment.values.every(({ value }) => value.kind === 'literal')
    case 'count':
      return segment.filter === undefined && segment.search === undefined
    default:
      return false
  }
}

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
