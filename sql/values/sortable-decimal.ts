import { type ExactNumber, exactNumber, parseScientific } from '../../runtime/query/index.js'

/** Added to the exponent of the first digit, so that it is never negative. */
const bias = 5000
const exponentDigits = 4
const greatestExponent = 10 ** exponentDigits - 1

/** Negative numbers, zero and positive numbers, in the order of the letters. */
const [negative, zero, positive] = ['n', 'o', 'p']

/** Greater than all digits: of two negative numbers, the one with more digits is less. */
const end = '~'

/**
 * A decimal number as text whose order is the order of the numbers, so that an engine without exact decimal numbers can
 * compare and index it: a letter for the sign, the exponent, and the digits. Undefined: the text is no number, or too long.
 */
export function sortableDecimal(value: string | number | bigint): string | undefined {
  const decimal = parseScientific(value)
  if (decimal === undefined) return undefined
  const { coefficient, scale } = decimal
  if (coefficient === 0n) return zero
  const isNegative = coefficient < 0n
  const all = String(isNegative ? -coefficient : coefficient)
  const digits = all.replace(/0+$/, '')
  const exponent = all.length - scale + bias
  if (exponent < 0 || exponent > greatestExponent) return undefined
  if (!isNegative) return positive + padded(exponent) + digits
  return negative + padded(greatestExponent - exponent) + complement(digits) + end
}

const padded = (exponent: number): string => String(exponent).padStart(exponentDigits, '0')

function complement(digits: string): string {
  return digits.replaceAll(/[0-9]/g, digit => String(9 - Number(digit)))
}

/** The digits of a sortable number, such as `-12.5`. Other values stay unchanged. */
export function decimalDigits(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored
  const [sign] = stored
  if (stored === zero) return '0'
  const start = 1 + exponentDigits
  const exponent = Number(stored.slice(1, start))
  if (sign === positive) return withPoint(stored.slice(start), exponent - bias)
  if (sign !== negative) return stored
  return `-${withPoint(complement(stored.slice(start, -1)), greatestExponent - exponent - bias)}`
}

/** @param exponent the number of digits before the point */
function withPoint(digits: string, exponent: number): string {
  if (exponent <= 0) return `0.${'0'.repeat(-exponent)}${digits}`
  if (exponent >= digits.length) return digits.padEnd(exponent, '0')
  return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

/** A stored decimal number or integer: a number or, if that would lose digits, its digits. */
export function storedNumber(stored: unknown): ExactNumber | null {
  if (typeof stored === 'number') return stored
  const digits = decimalDigits(stored)
  return typeof digits === 'string' || typeof digits === 'bigint' ? (exactNumber(String(digits)) ?? null) : null
}
