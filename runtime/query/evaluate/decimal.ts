/** An exact decimal number, `coefficient` * 10^-`scale`; `scale` is never negative. */
export interface Decimal {
  readonly coefficient: bigint
  readonly scale: number
}

export const zero: Decimal = { coefficient: 0n, scale: 0 }

/** The most digits after the point of a quotient that has no finite representation. */
const divisionScale = 34

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

export function fromInteger(value: bigint): Decimal {
  return { coefficient: value, scale: 0 }
}

/** Parses a number such as `-12.50`. */
export function parseDecimal(text: string): Decimal {
  const point = text.indexOf('.')
  if (point === -1) return fromInteger(BigInt(text))
  return { coefficient: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

/** Longer texts are not numbers, because arithmetic with them would take too long. */
const maxDigits = 400
const scientific = /^([+-]?[0-9]+(?:\.[0-9]+)?)(?:[Ee]([+-]?[0-9]{1,3}))?$/

/** Parses a number such as `-12.50` or `1.5e-7`. Undefined: it is not finite, or no numeral. */
export function parseScientific(value: number | bigint | string): Decimal | undefined {
  const text = String(value)
  if (text.length > maxDigits) return undefined
  const [, mantissa, exponent = '0'] = scientific.exec(text) ?? []
  if (mantissa === undefined) return undefined
  const { coefficient, scale } = parseDecimal(mantissa)
  const places = scale - Number(exponent)
  return places >= 0 ? { coefficient, scale: places } : fromInteger(coefficient * powerOfTen(-places))
}

function atScale({ coefficient, scale }: Decimal, target: number): bigint {
  return scale === target ? coefficient : coefficient * powerOfTen(target - scale)
}

function combine(left: Decimal, right: Decimal, operation: (a: bigint, b: bigint) => bigint): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { coefficient: operation(atScale(left, scale), atScale(right, scale)), scale }
}

export function add(left: Decimal, right: Decimal): Decimal {
  return combine(left, right, (a, b) => a + b)
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return combine(left, right, (a, b) => a - b)
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return { coefficient: left.coefficient * right.coefficient, scale: left.scale + right.scale }
}

/** The quotient, truncated after 34 digits after the point. The divisor must not be zero. */
export function divide(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(divisionScale, left.scale)
  const shift = scale - left.scale + right.scale
  return { coefficient: (left.coefficient * powerOfTen(shift)) / right.coefficient, scale }
}

/** The remainder, with the sign of the left number. The divisor must not be zero. */
export function remainder(left: Decimal, right: Decimal): Decimal {
  return combine(left, right, (a, b) => a % b)
}

export function negate({ coefficient, scale }: Decimal): Decimal {
  return { coefficient: -coefficient, scale }
}

/** Negative, zero or positive as the left number is less than, equal to or greater than the right one. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale)
  const a = atScale(left, scale)
  const b = atScale(right, scale)
  return a < b ? -1 : a > b ? 1 : 0
}

/** The quotient of two integers, rounded towards negative infinity. The divisor must be positive. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

export function floor({ coefficient, scale }: Decimal): bigint {
  return floorDivide(coefficient, powerOfTen(scale))
}

/** Rounds to the nearest integer, halves away from zero. */
export function round(value: Decimal): bigint {
  const magnitude = value.coefficient < 0n ? negate(value) : value
  const rounded = floor(add(magnitude, { coefficient: 5n, scale: 1 }))
  return value.coefficient < 0n ? -rounded : rounded
}

/** The text `-12.5`, without trailing zeros. */
export function decimalText({ coefficient, scale }: Decimal): string {
  const sign = coefficient < 0n ? '-' : ''
  const digits = String(coefficient < 0n ? -coefficient : coefficient).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const end = lastNonZero(digits, digits.length - scale)
  const fraction = digits.slice(digits.length - scale, end)
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function lastNonZero(digits: string, start: number): number {
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end -= 1
  return end
}

/**
 * A number in a row, a body or a key: a JavaScript number, or the digits of a number that would lose some of them as a
 * JavaScript number, such as `9007199254740993` and `0.12345678901234567890`.
 */
export type ExactNumber = number | string

/** Numerals of at most this length lose no digit, unless they have an exponent. */
const safeLength = 15

const plainNumeral = /^-?[0-9]+(?:\.[0-9]+)?$/

/**
 * Reads a numeral, `-12.50` or `1.5e-7`. The result is a JavaScript number only if that loses no digit; otherwise it is the
 * text of the number, without an exponent and superfluous zeros. Undefined: the text is no numeral, or too long.
 */
export function exactNumber(text: string): ExactNumber | undefined {
  if (text.length <= safeLength && plainNumeral.test(text)) return Number(text)
  const exact = parseScientific(text)
  if (exact === undefined) return undefined
  const number = Number(text)
  const digits = decimalText(exact)
  return Number.isFinite(number) && numeral(number) === digits ? number : digits
}

/** The digits of a finite number, without an exponent. A text that is no numeral stays unchanged. */
export function numeral(value: number | bigint | string): string {
  const text = String(value)
  const exact = /^-?[0-9]{1,15}$/.test(text) ? undefined : parseScientific(text)
  return exact === undefined ? text : decimalText(exact)
}
