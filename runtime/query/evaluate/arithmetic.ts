import type { ArithmeticOperator } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { add, type Decimal, divide, multiply, remainder, subtract } from './decimal.js'
import { isNumeric, toDecimal, toDouble } from './numeric.js'
import { numericOrTemporal } from './operand-text.js'
import { temporalArithmetic } from './temporal-arithmetic.js'
import { describeValue, type NumericValue, type Present, type Value } from './value.js'

/**
 * `add`, `sub`, `mul`, `div`, `divby` and `mod` on numbers, dates, instants and durations.
 *
 * @throws {EvaluationError} for other operands, and when an exact number is divided by zero
 * @see OData 4.01 URL Conventions, 5.1.1.2
 */
export function evaluateArithmetic(operator: ArithmeticOperator, leftOperand: Present, rightOperand: Present): Value {
  const left = numericOrTemporal(leftOperand)
  const right = numericOrTemporal(rightOperand)
  if (isNumeric(left) && isNumeric(right)) return numericArithmetic(operator, left, right)
  const value = temporalArithmetic(operator, left, right)
  if (value !== undefined) return value
  throw new EvaluationError(`Cannot apply \`${operator}\` to ${describeValue(left)} and ${describeValue(right)}.`)
}

function numericArithmetic(operator: ArithmeticOperator, left: NumericValue, right: NumericValue): NumericValue {
  if (left.kind === 'double' || right.kind === 'double') {
    return { kind: 'double', value: onDoubles(operator, toDouble(left), toDouble(right)) }
  }
  const isZero = right.kind === 'integer' ? right.value === 0n : right.value.coefficient === 0n
  if (isZero && operator === 'divby') return { kind: 'double', value: toDouble(left) / 0 }
  if (isZero && (operator === 'div' || operator === 'mod')) throw new EvaluationError(`\`${operator}\` by zero.`)
  if (left.kind === 'integer' && right.kind === 'integer' && operator !== 'divby') {
    return { kind: 'integer', value: onIntegers(operator, left.value, right.value) }
  }
  return { kind: 'decimal', value: onDecimals(operator, toDecimal(left), toDecimal(right)) }
}

function onDoubles(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'div':
    case 'divby':
      return left / right
    case 'mod':
      if (right === 0) throw new EvaluationError('`mod` by zero.')
      return left % right
  }
}

function onIntegers(operator: Exclude<ArithmeticOperator, 'divby'>, left: bigint, right: bigint): bigint {
  switch (operator) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'div':
      return left / right
    case 'mod':
      return left % right
  }
}

function onDecimals(operator: ArithmeticOperator, left: Decimal, right: Decimal): Decimal {
  switch (operator) {
    case 'add':
      return add(left, right)
    case 'sub':
      return subtract(left, right)
    case 'mul':
      return multiply(left, right)
    case 'div':
    case 'divby':
      return divide(left, right)
    case 'mod':
      return remainder(left, right)
  }
}
