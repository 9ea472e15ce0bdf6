import type { ArithmeticOperator } from '../../../runtime/query/index.js'

/** `coefficient` divided by ten to the power of `scale`. */
interface Decimal {
  readonly coefficient: bigint
  readonly scale: number
}

/** Digits behind the point that a division gives; the rest is cut off. */
const quotientDigits = 34

/**
 * Arithmetic for SQLite, which has floating-point numbers only: the decimal texts of both numbers are reckoned exactly, and
 * the nearest number is the result, so that 0.1 times 3 is 0.3. What is divided by zero is null, but for `divby` and
 * floating-point numbers, which know infinity.
 */
export function calculate(
  operator: ArithmeticOperator,
  left: unknown,
  right: unknown,
  kind: 'integer' | 'decimal' | 'double',
): number | bigint | null {
  if (kind === 'double') return onDoubles(operator, Number(left), Number(right))
  const a = decimalOf(left)
  const b = decimalOf(right)
  if (a === undefined || b === undefined) return onDoubles(operator, Number(left), Number(right))
  if (b.coefficient === 0n && operator === 'divby') return infinity(Number(a.coefficient))
  if (b.coefficient === 0n && (operator === 'div' || operator === 'mod')) return null
  if (kind === 'integer' && operator === 'div') return storedInteger(a.coefficient / b.coefficient)
  const result = combined(operator, a, b)
  return kind === 'integer' && result.scale === 0 ? storedInteger(result.coefficient) : numberOf(result)
}

/** To the next integer; halves go away from zero. */
export function rounded(mode: 'round' | 'floor' | 'ceiling', value: unknown): number | null {
  const decimal = decimalOf(value)
  if (decimal === undefined) return Number(value)
  const unit = 10n ** BigInt(decimal.scale)
  switch (mode) {
    case 'floor':
      return Number(floorDivide(decimal.coefficient, unit))
    case 'ceiling':
      return Number(-floorDivide(-decimal.coefficient, unit))
    case 'round': {
      const magnitude = decimal.coefficient < 0n ? -decimal.coefficient : decimal.coefficient
      const nearest = floorDivide(magnitude * 2n + unit, unit * 2n)
      return Number(decimal.coefficient < 0n ? -nearest : nearest)
    }
  }
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

function onDoubles(operator: ArithmeticOperator, left: number, right: number): number | null {
  switch (operator) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'mod':
      return right === 0 ? null : left % right
    case 'div':
    case 'divby':
      return left / right
  }
}

function infinity(dividend: number): number | null {
  return dividend === 0 ? null : dividend * Number.POSITIVE_INFINITY
}

function atScale({ coefficient, scale }: Decimal, wanted: number): bigint {
  return coefficient * 10n ** BigInt(wanted - scale)
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The exact number that a number is written as; undefined for infinity and what is no number. */
function decimalOf(value: unknown): Decimal | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numeral.exec(String(value)) ?? []
  if (whole === '') return undefined
  const scale = fraction.length - Number(exponent)
  const coefficient = BigInt(`${sign}${whole}${fraction}`)
  return scale < 0 ? { coefficient: coefficient * 10n ** BigInt(-scale), scale: 0 } : { coefficient, scale }
}

function numberOf({ coefficient, scale }: Decimal): number {
  return Number(`${coefficient}e-${scale}`)
}

/** SQLite's integers have 64 bits. */
function storedInteger(value: bigint): number | bigint {
  return BigInt.asIntN(64, value) === value ? value : Number(value)
}
