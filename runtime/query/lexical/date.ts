import { DIGIT_0, isDigit, MINUS } from './characters.js'
import { digitsEnd } from './digits.js'

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** The number made of the two digits at `position`, or -1. */
export function twoDigits(text: string, position: number): number {
  const tens = text.charCodeAt(position)
  const ones = text.charCodeAt(position + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - DIGIT_0) * 10 + (ones - DIGIT_0) : -1
}

/**
 * The offset behind the date `[-]YYYY-MM-DD` at `position`, or -1. A year has four digits or more, no more zeros in front
 * than four digits need, and the day has to exist in the proleptic Gregorian calendar.
 *
 * @see OData ABNF, `date`
 */
export function dateEnd(text: string, position: number): number {
  const negative = text.charCodeAt(position) === MINUS
  const year = negative ? position + 1 : position
  const yearEnd = digitsEnd(text, year)
  const digits = yearEnd - year
  if (digits < 4 || (digits > 4 && text.charCodeAt(year) === DIGIT_0)) return -1
  if (text.charCodeAt(yearEnd) !== MINUS || text.charCodeAt(yearEnd + 3) !== MINUS) return -1
  const month = twoDigits(text, yearEnd + 1)
  const day = twoDigits(text, yearEnd + 4)
  const longest = daysOfMonth[month - 1]
  if (longest === undefined || day < 1) return -1
  const leapDay = month === 2 && isLeapYear(text, yearEnd) ? 1 : 0
  return day <= longest + leapDay ? yearEnd + 6 : -1
}

/** Leap years repeat every 400 years, so the last four digits decide, whatever the sign. */
function isLeapYear(text: string, yearEnd: number): boolean {
  const year = twoDigits(text, yearEnd - 4) * 100 + twoDigits(text, yearEnd - 2)
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
