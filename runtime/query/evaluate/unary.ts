import type { UnaryExpression } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { negate } from './decimal.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import { numericOrTemporal } from './operand-text.js'
import { truthOf } from './truth.js'
import { describeValue, type Value } from './value.js'

/** `not` in three-valued logic, and the sign of numbers and durations. */
export function evaluateUnary({ operator, operand }: UnaryExpression, environment: Environment): Value {
  const value = evaluateExpression(operand, environment)
  if (operator === 'not') {
    const truth = truthOf(value, 'not')
    return truth === null ? null : !truth
  }
  return value === null ? null : negated(numericOrTemporal(value))
}

function negated(value: Exclude<Value, null>): Value {
  if (typeof value !== 'boolean') {
    switch (value.kind) {
      case 'integer':
        return { kind: 'integer', value: -value.value }
      case 'decimal':
        return { kind: 'decimal', value: negate(value.value) }
      case 'double':
        return { kind: 'double', value: -value.value }
      case 'duration':
        return { kind: 'duration', seconds: negate(value.seconds) }
      default:
        break
    }
  }
  throw new EvaluationError(`Cannot negate ${describeValue(value)}; a number or a duration was expected.`)
}
