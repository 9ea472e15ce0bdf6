import { dateEnd, dateTimeOffsetEnd, guidEnd, isDuration, timeOfDayEnd } from '../../runtime/query/index.js'
import { compareExactly, type ExactNumber, negated, rounded } from '../values/exact-decimal.js'
import { formatDuration, parseDuration, storedDate, storedInstant, storedTimeOfDay } from '../values/temporal.js'

const maxDigits = 400
const integerText = /^[+-]?\d+$/
const numberText = /^([+-]?)(\d+(?:\.\d+)?)(?:[Ee]([+-]?\d{1,3}))?$/
const notFinite: Readonly<Record<string, number | 'NaN'>> = {
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
  NaN: 'NaN',
}

/**
 * The casts for which SQLite's `CAST` gives a different result: function names, and functions on values as SQLite passes
 * them. Null: the value does not fit.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export const castFunctions: ReadonlyMap<string, (...values: readonly unknown[]) => unknown> = new Map<
  string,
  (...values: readonly unknown[]) => unknown
>([
  ['integer_to_text', value => decimalText(value)],
  ['decimal_to_text', value => decimalText(value)],
  ['double_to_text', value => wordOf(value) ?? String(Number(value))],
  ['duration_to_text', value => formatDuration(Number(value))],
  ['number_to_integer', (value, least, most) => inRange(exactOf(value), least, most)],
  ['number_to_decimal', value => exactOf(value)],
  ['number_to_double', value => doubleOf(value, false)],
  ['number_to_single', value => doubleOf(value, true)],
  [
    'text_to_integer',
    (text, least, most) => (integerText.test(String(text)) ? inRange(exactOf(plain(text)), least, most) : null),
  ],
  ['text_to_decimal', text => exactOf(plain(text))],
  ['text_to_double', text => doubleOf(plainOrWord(text), false)],
  ['text_to_single', text => doubleOf(plainOrWord(text), true)],
  ['text_to_guid', whole((text, end) => (guidEnd(text, 0) === end ? text.toLowerCase() : null))],
  ['text_to_date', whole((text, end) => (dateEnd(text, 0) === end ? storedDate(text) : null))],
  ['text_to_dateTimeOffset', whole((text, end) => castInstant(text, end) ?? castInstant(`${text}Z`, end + 1))],
  ['text_to_timeOfDay', whole((text, end) => (timeOfDayEnd(text, 0) === end ? storedTimeOfDay(text) : null))],
  ['text_to_duration', whole((text, end) => (end <= maxDigits && isDuration(text) ? parseDuration(text) : null))],
])

function whole(read: (text: string, end: number) => unknown): (value: unknown) => unknown {
  return value => read(String(value), String(value).length)
}

function castInstant(text: string, end: number): string | null {
  return dateTimeOffsetEnd(text, 0) === end ? (storedInstant(text) ?? null) : null
}

/** A number in a canonical notation: no plus sign, and a sign before the exponent; null if the text is not a number. */
function plain(text: unknown): string | null {
  const [, sign = '', digits, exponent = '0'] = numberText.exec(String(text).slice(0, maxDigits + 1)) ?? []
  if (digits === undefined || String(text).length > maxDigits) return null
  return `${sign === '-' ? '-' : ''}${digits}e${Number(exponent) < 0 ? exponent : `+${Number(exponent)}`}`
}

function plainOrWord(text: unknown): unknown {
  return Object.hasOwn(notFinite, String(text)) ? notFinite[String(text)] : plain(text)
}

/** The exact number; for a double, the one with the shortest digits; null for infinity and NaN. */
function exactOf(value: unknown): ExactNumber | null {
  if (value === null || value === 'NaN' || (typeof value === 'number' && !Number.isFinite(value))) return null
  return negated(negated(value))
}

function inRange(value: ExactNumber | null, least: unknown, most: unknown): ExactNumber | null {
  if (value === null) return null
  const nearest = rounded('round', value)
  return compareExactly(nearest, least) < 0 || compareExactly(nearest, most) > 0 ? null : nearest
}

/** A number that would become infinite does not fit. */
function doubleOf(value: unknown, isSingle: boolean): number | 'NaN' | null {
  if (value === null || value === 'NaN') return value
  const number = isSingle ? Math.fround(Number(value)) : Number(value)
  return Number.isFinite(number) || (typeof value === 'number' && !Number.isFinite(value)) ? number : null
}

function wordOf(value: unknown): string | undefined {
  return Object.keys(notFinite).find(word => notFinite[word] === value)
}

function decimalText(value: unknown): string {
  return wordOf(value) ?? String(exactOf(value))
}
