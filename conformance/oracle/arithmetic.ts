import type { ArithmeticOperator } from '../../runtime/query/index.js'
import { add, divide, floored, integerOf, multiply, negative, type Rational, truncated } from './rational.js'
import { ticksInDay } from './temporal.js'
import type { PossibleValues, Value } from './values.js'

type NumberValue = Extract<Value, { readonly kind: 'number' }>

/**
 * The possible results of an arithmetic operator: null if an operand is null, `unknown` where services differ (division
 * by zero, overflow).
 *
 * @see OData 4.01 URL Conventions, 5.1.1.2
 */
export function calculate(operator: ArithmeticOperator, left: Value, right: Value): PossibleValues {
  if (left === null || right === null) return [null]
  if (typeof left === 'boolean' || typeof right === 'boolean') return 'unknown'
  if (left.kind === 'number' && right.kind === 'number') return calculateNumbers(operator, left, right)
  if (operator !== 'add' && operator !== 'sub') return 'unknown'
  const sign = operator === 'add' ? 1n : -1n
  if (left.kind === 'duration' && right.kind === 'duration') {
    return [{ kind: 'duration', ticks: left.ticks + sign * right.ticks }]
  }
  if (left.kind === 'instant' && right.kind === 'duration') {
    return [{ ...left, from: left.from + sign * right.ticks, to: left.to + sign * right.ticks }]
  }
  if (left.kind === 'date' && right.kind === 'duration' && right.ticks % ticksInDay === 0n) {
    return [{ kind: 'date', days: left.days + Number((sign * right.ticks) / ticksInDay) }]
  }
  if (operator === 'sub' && left.kind === 'date' && right.kind === 'date') {
    return [{ kind: 'duration', ticks: BigInt(left.days - right.days) * ticksInDay }]
  }
  return 'unknown'
}

function calculateNumbers(operator: ArithmeticOperator, left: NumberValue, right: NumberValue): PossibleValues {
  const isInteger = left.isInteger && right.isInteger
  const approximate = left.approximate || right.approximate
  const exact = (value: Rational): readonly Value[] => [{ kind: 'number', value, isInteger, approximate }]
  if ((operator === 'div' || operator === 'divby' || operator === 'mod') && right.value.numerator === 0n)
    return 'unknown'
  switch (operator) {
    case 'add':
      return exact(add(left.value, right.value))
    case 'sub':
      return exact(add(left.value, negative(right.value)))
    case 'mul':
      return exact(multiply(left.value, right.value))
    case 'div': {
      const quotient = divide(left.value, right.value)
      if (isInteger) return wholeQuotients(quotient).flatMap(whole => exact(integerOf(whole)))
      return [{ kind: 'number', value: quotient, isInteger: false, approximate: true }]
    }
    case 'divby':
      return [{ kind: 'number', value: divide(left.value, right.value), isInteger: false, approximate: true }]
    case 'mod': {
      const quotients = wholeQuotients(divide(left.value, right.value))
      return quotients.flatMap(whole => exact(add(left.value, negative(multiply(integerOf(whole), right.value)))))
    }
  }
}

/** For negative numbers, services truncate or round down. */
function wholeQuotients(quotient: Rational): readonly bigint[] {
  return [...new Set([truncated(quotient), floored(quotient)])]
}

export function negateValue(value: Value): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean') return 'unknown'
  if (value.kind === 'number') return [{ ...value, value: negative(value.value) }]
  return value.kind === 'duration' ? [{ kind: 'duration', ticks: -value.ticks }] : 'unknown'
}
