import type { Expression } from '../ast.js'
import type { StaticType } from './static-type.js'

/** One side of an operator, or one argument: its type, and its expression with aliases replaced. */
export interface Operand {
  readonly type: StaticType
  readonly expression: Expression
}

/** The text of a string literal. */
export function literalText(expression: Expression): string | undefined {
  return expression.kind === 'literal' && expression.type === 'String' ? expression.value : undefined
}

/** The names of a path, for messages; absent for other expressions. */
export function pathText(expression: Expression): string | undefined {
  if (expression.kind !== 'path') return undefined
  const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return names.length === 0 ? undefined : names.join('/')
}
