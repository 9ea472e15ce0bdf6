import type { BinaryOperator, Expression, Literal, PathExpression, PathSegment } from '../../runtime/query/index.js'

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

/** All of them, joined from the left; at least one. */
export function joinConditions(
  operator: 'and' | 'or',
  first: Expression,
  ...others: readonly Expression[]
): Expression {
  return others.reduce((left, right) => binary(operator, left, right), first)
}

/** A tree with each expression changed that the function changes, from the leaves up; the same tree when none is. */
function rewrite(expression: Expression, change: (part: Expression) => Expression | undefined): Expression {
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

/** Changes an expression; the result is absent when nothing was changed. */
export function rewriteChanged(
  expression: Expression,
  change: (part: Expression) => Expression | undefined,
): Expression | undefined {
  const result = rewrite(expression, change)
  return result === expression ? undefined : result
}

/** Changes string literals. */
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

/** Whether some part of an expression is of a kind. */
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

/** Operators, functions, paths and literals of an expression. */
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

/** The properties of a row that an expression reads; absent when it may read others than it names. */
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
      // A function that has a type alone looks at the row itself.
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

/** Whether a step reads nothing but the value it starts from: no condition, argument or annotation, which stands beside it. */
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
