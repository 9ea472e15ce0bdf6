/**
 * An exact number, so that no digit of an Int64, Decimal or quotient is lost. The denominator is positive; the fraction
 * is not reduced.
 */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

const written = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/

/** The number that a decimal text denotes; absent if it is none. */
export function rationalOf(text: string): Rational | undefined {
  const match = written.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText) - fraction.length
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return exponent >= 0
    ? { numerator: digits * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-exponent) }
}

export function integerOf(value: bigint | number): Rational {
  return { numerator: BigInt(value), denominator: 1n }
}

export function add(left: Rational, right: Rational): Rational {
  return {
    numerator: left.numerator * right.denominator + right.numerator * left.denominator,
    denominator: left.denominator * right.denominator,
  }
}

export function negative({ numerator, denominator }: Rational): Rational {
  return { numerator: -numerator, denominator }
}

export function multiply(left: Rational, right: Rational): Rational {
  return { numerator: left.numerator * right.numerator, denominator: left.denominator * right.denominator }
}

/** The divisor must not be zero. */
export function divide(left: Rational, right: Rational): Rational {
  const sign = right.numerator < 0n ? -1n : 1n
  return {
    numerator: left.numerator * right.denominator * sign,
    denominator: left.denominator * right.numerator * sign,
  }
}

/** The integer part, rounded toward zero. */
export function truncated({ numerator, denominator }: Rational): bigint {
  return numerator / denominator
}

export function floored({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}

export function compareRationals(left: Rational, right: Rational): -1 | 0 | 1 {
  const a = left.numerator * right.denominator
  const b = right.numerator * left.denominator
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether two numbers differ by no more than a millionth of the larger one, as rounding may cause. */
export function areClose(left: Rational, right: Rational): boolean {
  const a = left.numerator * right.denominator
  const b = right.numerator * left.denominator
  const size = (value: bigint): bigint => (value < 0n ? -value : value)
  const gap = size(a - b) * 1_000_000n
  return gap <= size(a) || gap <= size(b)
}
