import { type Decimal, decimalText, parseScientific } from './evaluate/decimal.js'

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

/** Whether two types of numbers have values that JavaScript numbers cannot represent. */
export function isExactType(type: string): boolean {
  return type === 'Edm.Int64' || type === 'Edm.Decimal'
}

/** A number as coefficient and scale. Undefined: it is not finite, or no numeral. */
export function decimalValueOf(value: number | bigint | string): Decimal | undefined {
  return parseScientific(String(value))
}
