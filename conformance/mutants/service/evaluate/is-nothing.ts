import type { Expression } from '../../../../runtime/query/index.js'
import type { Value } from '../value/value.js'
import type { Environment } from './environment.js'

/** Whether an operand is the literal null: with it `eq` and `ne` ask for null, and the answer is never unknown. */
export function isNothing(node: Expression, value: Value, env: Environment): boolean {
  if (node.kind !== 'literal') return false
  return value === null || (value === '' && env.at.behaviour.choices['emptyString'] === 'null')
}
