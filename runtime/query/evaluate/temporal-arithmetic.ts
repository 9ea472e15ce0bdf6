import type { ArithmeticOperator } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import {
  add,
  type Decimal,
  divide,
  floor,
  floorDivide,
  fromInteger,
  multiply,
  negate,
  parseDecimal,
  subtract,
} from './decimal.js'
import { isNumeric, toDecimal } from './numeric.js'
import { secondsOfDay } from './temporal-text.js'
import type { NumericValue, Present, Value } from './value.js'

/**
 * Arithmetic with dates, instants and durations, or undefined when the operands do not allow it.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.2.1 to 5.1.1.2.5
 */
export function temporalArithmetic(operator: ArithmeticOperator, left: Present, right: Present): Value | undefined {
  if (typeof left === 'boolean' || typeof right === 'boolean') return undefined
  if (operator === 'mul' && isNumeric(left) && right.kind === 'duration') return scaled('mul', right.seconds, left)
  if (left.kind === 'duration' && isNumeric(right)) {
    return operator === 'add' || operator === 'sub' ? undefined : scaled(operator, left.seconds, right)
  }
  if (operator !== 'add' && operator !== 'sub') return undefined
  if (right.kind === 'duration') return moved(left, operator === 'add' ? right.seconds : negate(right.seconds))
  if (operator === 'add') return undefined
  if (left.kind === 'dateTimeOffset' && right.kind === 'dateTimeOffset') {
    return { kind: 'duration', seconds: subtract(left.seconds, right.seconds) }
  }
  if (left.kind === 'date' && right.kind === 'date') {
    return { kind: 'duration', seconds: fromInteger(BigInt(left.days - right.days) * BigInt(secondsOfDay)) }
  }
  return undefined
}

function moved(value: Exclude<Present, boolean>, seconds: Decimal): Value | undefined {
  switch (value.kind) {
    case 'duration':
      return { kind: 'duration', seconds: add(value.seconds, seconds) }
    case 'dateTimeOffset':
      return { ...value, seconds: add(value.seconds, seconds) }
    case 'date':
      // A date is its midnight: a part of a day backwards leads to the day before.
      return { kind: 'date', days: value.days + Number(floorDivide(floor(seconds), BigInt(secondsOfDay))) }
    default:
      return undefined
  }
}

function scaled(operator: ArithmeticOperator, seconds: Decimal, by: NumericValue): Value | undefined {
  const factor = by.kind === 'double' ? fromDouble(by.value) : toDecimal(by)
  if (operator === 'mul') return { kind: 'duration', seconds: multiply(seconds, factor) }
  if (operator === 'mod') return undefined
  if (factor.coefficient === 0n) throw new EvaluationError('A duration divided by zero.')
  return { kind: 'duration', seconds: divide(seconds, factor) }
}

function fromDouble(value: number): Decimal {
  if (!Number.isFinite(value)) throw new EvaluationError(`A duration cannot be multiplied or divided by ${value}.`)
  return parseDecimal(value.toFixed(15))
}
