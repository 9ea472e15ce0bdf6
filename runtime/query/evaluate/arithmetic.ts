import type { ArithmeticOperator } from '../ast.js'
import { isNumeric, toDecimal, toDouble } from './compare.js'
import { castNumeric } from './conversion.js'
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
  remainder,
  round,
  subtract,
} from './decimal.js'
import { parseDate, parseDateTimeOffset, parseDuration, secondsOfDay } from './temporal.js'
import { describeValue, EvaluationError, isOfKind, type NonNullValue, type NumericValue, type Value } from './value.js'

/**
 * `add`, `sub`, `mul`, `div`, `divby` and `mod` on numbers, dates, instants and durations.
 *
 * @throws {EvaluationError} for other operands, and when an exact number is divided by zero
 * @see OData 4.01 URL Conventions, 5.1.1.2
 */
export function evaluateArithmetic(
  operator: ArithmeticOperator,
  leftOperand: NonNullValue,
  rightOperand: NonNullValue,
): Value {
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

/**
 * Arithmetic with dates, instants and durations; undefined for other operands.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.2.1 to 5.1.1.2.5
 */
function temporalArithmetic(operator: ArithmeticOperator, left: NonNullValue, right: NonNullValue): Value | undefined {
  if (typeof left === 'boolean' || typeof right === 'boolean') return undefined
  if (operator === 'mul' && isNumeric(left) && right.kind === 'duration') return scaled('mul', right.seconds, left)
  if (left.kind === 'duration' && isNumeric(right)) {
    return operator === 'add' || operator === 'sub' ? undefined : scaled(operator, left.seconds, right)
  }
  if (operator !== 'add' && operator !== 'sub') return undefined
  if (right.kind === 'duration') return shifted(left, operator === 'add' ? right.seconds : negate(right.seconds))
  if (operator === 'add') return undefined
  if (left.kind === 'dateTimeOffset' && right.kind === 'dateTimeOffset') {
    return { kind: 'duration', seconds: subtract(left.seconds, right.seconds) }
  }
  if (left.kind === 'date' && right.kind === 'date') {
    return { kind: 'duration', seconds: fromInteger(BigInt(left.days - right.days) * BigInt(secondsOfDay)) }
  }
  return undefined
}

function shifted(value: Exclude<NonNullValue, boolean>, seconds: Decimal): Value | undefined {
  switch (value.kind) {
    case 'duration':
      return { kind: 'duration', seconds: add(value.seconds, seconds) }
    case 'dateTimeOffset':
      return { ...value, seconds: add(value.seconds, seconds) }
    case 'date':
      // A date is its midnight: subtracting a part of a day results in the day before.
      return { kind: 'date', days: value.days + Number(floorDivide(floor(seconds), BigInt(secondsOfDay))) }
    default:
      return undefined
  }
}

function scaled(operator: ArithmeticOperator, seconds: Decimal, by: NumericValue): Value | undefined {
  const factor = by.kind === 'double' ? fromDouble(by.value) : toDecimal(by)
  if (operator === 'mul') return { kind: 'duration', seconds: multiply(seconds, factor) }
  if (operator === 'mod') return undefined
  if (factor.coefficient === 0n) throw new EvaluationError('Cannot divide a duration by zero.')
  return { kind: 'duration', seconds: divide(seconds, factor) }
}

function fromDouble(value: number): Decimal {
  if (!Number.isFinite(value)) throw new EvaluationError(`Cannot multiply or divide a duration by ${value}.`)
  return parseDecimal(value.toFixed(15))
}

/** Negates a number or a duration. @throws {EvaluationError} for other operands */
export function evaluateNegation(operand: NonNullValue): Value {
  const value = numericOrTemporal(operand)
  if (isOfKind(value, 'integer')) return { kind: 'integer', value: -value.value }
  if (isOfKind(value, 'decimal')) return { kind: 'decimal', value: negate(value.value) }
  if (isOfKind(value, 'double')) return { kind: 'double', value: -value.value }
  if (isOfKind(value, 'duration')) return { kind: 'duration', seconds: negate(value.seconds) }
  throw new EvaluationError(`Cannot negate ${describeValue(value)}. Expected a number or a duration.`)
}

const decimalRounding = { round, floor, ceiling: (value: Decimal) => -floor(negate(value)) }
const doubleRounding = {
  round: (value: number) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5),
  floor: Math.floor,
  ceiling: Math.ceil,
}

/** Rounds to a whole number of the same type. `round` rounds halves away from zero. @see OData 4.01 URL Conventions, 5.1.1.9 */
export function roundNumber(mode: 'round' | 'floor' | 'ceiling', value: NumericValue): NumericValue {
  switch (value.kind) {
    case 'integer':
      return value
    case 'decimal':
      return { kind: 'decimal', value: fromInteger(decimalRounding[mode](value.value)) }
    case 'double':
      return { kind: 'double', value: doubleRounding[mode](value.value) }
  }
}

/** Reads a string without a declared type as the number, date, instant or duration that it represents. */
function numericOrTemporal(value: NonNullValue): NonNullValue {
  if (!isOfKind(value, 'string')) return value
  const { text } = value
  return castNumeric(text) ?? parseDateTimeOffset(text) ?? parseDate(text) ?? parseDuration(text) ?? value
}
