import type { BinaryOperator, Expression, Literal, PathExpression } from '../../runtime/query/index.js'

/** A path from the row, or from a lambda variable. */
export function pathTo(names: readonly string[], variable?: string): PathExpression {
  const segments = names.map(name => ({ kind: 'property', name }) as const)
  if (variable === undefined) return { kind: 'path', segments }
  return { kind: 'path', root: { kind: 'variable', name: variable }, segments }
}

export function text(value: string): Literal {
  return { kind: 'literal', type: 'String', value }
}

export function integer(value: number): Literal {
  return { kind: 'literal', type: 'Integer', value: String(value) }
}

export const nullLiteral: Literal = { kind: 'literal', type: 'null', value: null }

export function truth(value: boolean): Literal {
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
export function joined(operator: 'and' | 'or', first: Expression, ...others: readonly Expression[]): Expression {
  return others.reduce((left, right) => binary(operator, left, right), first)
}
