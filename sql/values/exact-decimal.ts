import type { ArithmeticOperator } from '../../runtime/query/index.js'

/** `coefficient` divided by ten to the power of `scale`. */
interface Decimal {
  readonly coefficient: bigint
  readonly scale: number
}

/** The number of decimal places of a quotient. Further digits are cut off. */
const quotientDigits = 34

/** A number as SQLite passes it: an integer of 64 bits, a floating-point number, or decimal digits as text. */
export type ExactNumber = number | bigint | string

/**
 * Exact decimal arithmetic for SQLite, whose own numbers are 64-bit integers and floating-point numbers: 0.1 times 3 is 0.3.
 * Division by zero is null, except for `divby` and floating-point numbers, which have infinity.
 */
export function calculate(
  operator: ArithmeticOperator,
  left: unknown,
  right: unknown,
  kind: 'integer' | 'decimal' | 'double',
): ExactNumber | null {
  const [a, b] = kind === 'double' ? [] : [decimalOf(left), decimalOf(right)]
  if (a === undefined || b === undefined) return onDoubles(operator, Number(left), Number(right))
  if (b.coefficient === 0n && operator === 'divby') return sentNumber(Number(a.coefficient) / 0)
  if (b.coefficient === 0n && (operator === 'div' || operator === 'mod')) return null
  if (kind === 'integer' && operator === 'div') return exactInteger(a.coefficient / b.coefficient)
  return exactNumber(combined(operator, a, b))
}

export function negated(value: unknown): ExactNumber {
  const decimal = decimalOf(value)
  if (decimal === undefined) return sentNumber(-Number(value))
  return exactNumber({ ...decimal, coefficient: -decimal.coefficient })
}

/** Rounds to an integer; `round` rounds half away from zero. */
export function rounded(mode: 'round' | 'floor' | 'ceiling', value: unknown): ExactNumber {
  const decimal = decimalOf(value)
  if (decimal === undefined) return sentNumber(Number(value))
  const unit = 10n ** BigInt(decimal.scale)
  switch (mode) {
    case 'floor':
      return exactInteger(floorDivide(decimal.coefficient, unit))
    case 'ceiling':
      return exactInteger(-floorDivide(-decimal.coefficient, unit))
    case 'round': {
      const magnitude = decimal.coefficient < 0n ? -decimal.coefficient : decimal.coefficient
      const nearest = floorDivide(magnitude * 2n + unit, unit * 2n)
      return exactInteger(decimal.coefficient < 0n ? -nearest : nearest)
    }
  }
}

/** Negative, zero or positive if the left number is less than, equal to or greater than the right one. */
export function compareExactly(left: unknown, right: unknown): number {
  const [a, b] = [decimalOf(left), decimalOf(right)]
  if (a === undefined || b === undefined) {
    const [first, second] = [Number(left), Number(right)]
    // The difference of two infinite numbers is no number.
    return first === second ? 0 : Math.sign(first - second)
  }
  const scale = Math.max(a.scale, b.scale)
  const [x, y] = [atScale(a, scale), atScale(b, scale)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The number of parts of a number: 45 digits after the point, and 63 before it. */
export const numberParts = 12
const partDigits = 9
const partUnit = 10n ** BigInt(partDigits)
const fractionDigits = 5 * partDigits

/**
 * A number as integers of nine digits, with its sign, the last digits first. SQLite adds integers exactly and in windows, so it
 * adds each part by itself. Undefined: the number has digits that are in no part.
 */
export function partsOf(value: unknown): readonly number[] | undefined {
  const decimal = decimalOf(value)
  if (decimal === undefined) return undefined
  const scale = Math.max(decimal.scale, fractionDigits)
  const all = atScale(decimal, scale)
  const unit = 10n ** BigInt(scale - fractionDigits)
  let left = all / unit
  const parts: number[] = []
  while (parts.length < numberParts) {
    parts.push(Number(left % partUnit))
    left /= partUnit
  }
  return left === 0n && all % unit === 0n ? parts : undefined
}

/** The number whose parts, or the sums of whose parts, these are. */
export function joinedParts(parts: readonly unknown[]): ExactNumber {
  const coefficient = parts.reduceRight<bigint>((sum, part) => sum * partUnit + BigInt(Number(part)), 0n)
  return exactNumber({ coefficient, scale: fractionDigits })
}

/** The nearest number that SQLite can represent. */
export function nearestNumber(value: unknown): ExactNumber {
  return typeof value === 'bigint' ? value : sentNumber(Number(value))
}

function combined(operator: ArithmeticOperator, a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const left = atScale(a, scale)
  const right = atScale(b, scale)
  switch (operator) {
    case 'add':
      return { coefficient: left + right, scale }
    case 'sub':
      return { coefficient: left - right, scale }
    case 'mul':
      return { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale }
    case 'mod':
      return { coefficient: left % right, scale }
    case 'div':
    case 'divby':
      return { coefficient: (left * 10n ** BigInt(quotientDigits)) / right, scale: quotientDigits }
  }
}

function onDoubles(operator: ArithmeticOperator, left: number, right: number): ExactNumber | null {
  switch (operator) {
    case 'add':
      return sentNumber(left + right)
    case 'sub':
      return sentNumber(left - right)
    case 'mul':
      return sentNumber(left * right)
    case 'mod':
      return right === 0 ? null : sentNumber(left % right)
    case 'div':
    case 'divby':
      return sentNumber(left / right)
  }
}

/** SQLite converts NaN to null. It is passed as text. */
function sentNumber(value: number): number | 'NaN' {
  return Number.isNaN(value) ? 'NaN' : value
}

function atScale({ coefficient, scale }: Decimal, target: number): bigint {
  return coefficient * 10n ** BigInt(target - scale)
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The exact value of a number's text; undefined for infinity and NaN. */
function decimalOf(value: unknown): Decimal | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numeral.exec(String(value)) ?? []
  if (whole === '') return undefined
  const scale = fraction.length - Number(exponent)
  const coefficient = BigInt(`${sign}${whole}${fraction}`)
  return scale < 0 ? { coefficient: coefficient * 10n ** BigInt(-scale), scale: 0 } : { coefficient, scale }
}

/** A decimal as SQLite passes it. */
export function exactNumber({ coefficient, scale }: Decimal): ExactNumber {
  if (scale === 0) return exactInteger(coefficient)
  const magnitude = coefficient < 0n ? -coefficient : coefficient
  const digits = String(magnitude).padStart(scale + 1, '0')
  const point = digits.length - scale
  let end = digits.length
  while (end > point && digits[end - 1] === '0') end--
  if (end === point) return exactInteger(coefficient / 10n ** BigInt(scale))
  return `${coefficient < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point, end)}`
}

/** SQLite's integers have 64 bits. */
function exactInteger(value: bigint): ExactNumber {
  return BigInt.asIntN(64, value) === value ? value : String(value)
}
