import { type ExactNumber, exactNumber } from './exact-decimal.js'

const instantText = /^(-?)(\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))$/i
const picoseconds = 1_000_000_000_000n
const secondsOfDay = 86_400

/**
 * The stored form of an instant: UTC with seconds, without trailing zeros and `Z`. Text order is time order. Years before 0
 * become `-` and years after 9999 become `~`, which sort before and after all others; only literals of a query can have them.
 * Undefined if the text is not an instant.
 */
export function storedInstant(text: string): string | undefined {
  const [, sign, year = '', month, day, hour, minute, second = '0', fraction = '', zoneSign, zoneHour, zoneMinute] =
    instantText.exec(text) ?? []
  if (year === '') return undefined
  if (year.length > 4) return sign === '-' ? '-' : '~'
  const date = new Date(0)
  date.setUTCFullYear(Number(`${sign}${year}`), Number(month) - 1, Number(day))
  const offset = (zoneSign === '-' ? -1 : 1) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0))
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second))
  return withFraction(date, fraction)
}

/** The form of a stored instant in responses. */
export function wireInstant(stored: string): string {
  return `${stored}Z`
}

/** The stored form of a date and time, to the millisecond. */
export function instantOf(date: Date): string {
  return withFraction(date, String(date.getUTCMilliseconds()).padStart(3, '0'))
}

/** The stored form of a date. Years outside four digits become `-` or `~`, as in `storedInstant`. */
export function storedDate(text: string): string {
  if (text.startsWith('-')) return '-'
  return text.length > 10 ? '~' : text
}

/** The stored form of a time of day: with seconds, without trailing zeros. */
export function storedTimeOfDay(text: string): string {
  const full = text.length === 5 ? `${text}:00` : text
  const [whole = '', fraction = ''] = full.split('.')
  const kept = withoutZeros(fraction)
  if (!whole.endsWith(':60')) return `${whole}${kept}`
  const next = new Date(Date.UTC(1970, 0, 1, Number(whole.slice(0, 2)), Number(whole.slice(3, 5)), 60))
  return next.getUTCDate() === 1 ? `${next.toISOString().slice(11, 19)}${kept}` : `${whole}${kept}`
}

/** Adds seconds to a stored instant; null if the result is outside the years of four digits. */
export function addToInstant(stored: string, seconds: number): string | null {
  const moved = picosecondsOf(stored) + BigInt(Math.round(seconds * 1e6)) * (picoseconds / 1_000_000n)
  const whole = moved / picoseconds - (moved < 0n && moved % picoseconds !== 0n ? 1n : 0n)
  const date = new Date(Number(whole) * 1000)
  const text = Number.isNaN(date.getTime())
    ? '~'
    : withFraction(date, String(moved - whole * picoseconds).padStart(12, '0'))
  return isStorable(text) ? text : null
}

/** Adds seconds to a stored date, rounded down to whole days; null if the result is outside the years of four digits. */
export function addToDate(stored: string, seconds: number): string | null {
  const date = new Date(`${stored}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + Math.floor(seconds / secondsOfDay))
  const text = Number.isNaN(date.getTime()) ? '~' : withFraction(date, '')
  return isStorable(text) ? text.slice(0, 10) : null
}

/** The seconds between two stored instants. */
export function secondsBetweenInstants(later: string, earlier: string): ExactNumber {
  return exactNumber({ coefficient: picosecondsOf(later) - picosecondsOf(earlier), scale: 12 })
}

/** The seconds between two dates. */
export function secondsBetweenDates(later: string, earlier: string): number {
  return (Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / 1000
}

/** Whether the store can keep an instant or date: its year has four digits. */
export function isStorable(stored: string): boolean {
  return !stored.startsWith('-') && !stored.startsWith('~')
}

function withFraction(date: Date, fraction: string): string {
  const year = date.getUTCFullYear()
  if (year < 0) return '-'
  return year > 9999 || Number.isNaN(year) ? '~' : `${date.toISOString().slice(0, 19)}${withoutZeros(fraction)}`
}

function withoutZeros(fraction: string): string {
  let end = fraction.length
  while (end > 0 && fraction[end - 1] === '0') end--
  return end === 0 ? '' : `.${fraction.slice(0, end)}`
}

function picosecondsOf(stored: string): bigint {
  const seconds = BigInt(Date.parse(`${stored.slice(0, 19)}Z`) / 1000)
  return seconds * picoseconds + BigInt(stored.slice(20).padEnd(12, '0'))
}

const durationText = /^([+-]?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i

/** The seconds of a duration; null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  const [all, sign, days = '0', hours = '0', minutes = '0', seconds = '0'] = durationText.exec(text) ?? []
  if (all === undefined) return null
  const whole = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60
  // Append the fraction as text, so that no digit changes.
  const [second = '0', fraction] = seconds.split('.')
  const total = Number(`${whole + Number(second)}${fraction === undefined ? '' : `.${fraction}`}`)
  return sign === '-' ? -total : total
}

/** A duration such as `P1DT2H3M4.5S`, without zero parts. */
export function formatDuration(seconds: number): string {
  const text = decimalText(Math.abs(seconds))
  const [wholeText = '0', fraction] = text.split('.')
  const whole = Number(wholeText)
  const days = Math.floor(whole / 86_400)
  const hours = Math.floor(whole / 3600) % 24
  const minutes = Math.floor(whole / 60) % 60
  const rest = `${whole % 60}${fraction === undefined ? '' : `.${fraction}`}`
  const clock = `${part(hours, 'H')}${part(minutes, 'M')}${rest === '0' ? '' : `${rest}S`}`
  const magnitude = `P${part(days, 'D')}${clock === '' ? '' : `T${clock}`}`
  return `${seconds < 0 ? '-' : ''}${magnitude === 'P' ? 'PT0S' : magnitude}`
}

function part(amount: number, unit: string): string {
  return amount === 0 ? '' : `${amount}${unit}`
}

/** A number without an exponent. A duration has at most 12 decimal places. */
function decimalText(seconds: number): string {
  const text = String(seconds)
  return text.includes('e') ? seconds.toFixed(12).replace(/\.?0+$/, '') : text
}
