/** A tick is a picosecond: OData allows twelve fractional digits of a second. */
export const ticksInSecond = 1_000_000_000_000n
export const ticksInDay = 86_400n * ticksInSecond

/** A timestamp as written. */
interface ParsedInstant {
  /** Since 1970, UTC. */
  readonly ticks: bigint
  /** The value of the last digit written; one second without a fraction. */
  readonly unit: bigint
  /** Minutes ahead of UTC. */
  readonly offset: number
}

const datePattern = /^(-?\d{4,6})-(\d\d)-(\d\d)$/
const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?$/
const instantPattern = /^(-?\d{4,6}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?)(?:[Zz]|([+-])(\d\d):(\d\d))$/
const durationPattern =
  /^([+-]?)P(?:(\d{1,12})D)?(?:T(?:(\d{1,12})H)?(?:(\d{1,12})M)?(?:(\d{1,12})(?:\.(\d{1,12}))?S)?)?$/i

/** The range of `Date` in ticks, on both sides of 1970. */
const lastTick = 8_640_000_000_000n * ticksInSecond

/** Days since 1970; absent if the text is not a date. */
export function daysOf(text: string): number | undefined {
  const match = datePattern.exec(text)
  if (match === null) return undefined
  const [, year = '', month = '', day = ''] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== Number(month) - 1) return undefined
  return Math.round(date.getTime() / 86_400_000)
}

/** Ticks since midnight, and the value of the last digit; absent if the text is not a time of day. */
export function timeOf(text: string): { readonly ticks: bigint; readonly unit: bigint } | undefined {
  const match = timePattern.exec(text)
  if (match === null) return undefined
  const [, hour = '', minute = '', second = '0', fraction = ''] = match
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined
  const seconds = BigInt(hour) * 3600n + BigInt(minute) * 60n + BigInt(second)
  const unit = 10n ** BigInt(12 - fraction.length)
  return { ticks: seconds * ticksInSecond + BigInt(fraction.padEnd(12, '0')), unit }
}

const instantCache = new Map<string, ParsedInstant | undefined>()
const maxCachedInstants = 5_000

/** Parses any form: `Z` or an offset, with or without seconds and fraction. Absent if the text is not a timestamp. */
export function instantOf(text: string): ParsedInstant | undefined {
  // The same few timestamps are parsed repeatedly.
  if (instantCache.has(text)) return instantCache.get(text)
  if (instantCache.size >= maxCachedInstants) instantCache.clear()
  const instant = readInstant(text)
  instantCache.set(text, instant)
  return instant
}

function readInstant(text: string): ParsedInstant | undefined {
  const match = instantPattern.exec(text)
  if (match === null) return undefined
  const [, dateText = '', timeText = '', sign, hours = '0', minutes = '0'] = match
  const days = daysOf(dateText)
  const time = timeOf(timeText)
  if (days === undefined || time === undefined) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const ticks = BigInt(days) * ticksInDay + time.ticks - BigInt(offset) * 60n * ticksInSecond
  if (ticks > lastTick || ticks < -lastTick) return undefined
  return { ticks, unit: time.unit, offset }
}

/** The ticks of a duration of days, hours, minutes and seconds; absent if the text is none. */
export function durationOf(text: string): bigint | undefined {
  const match = durationPattern.exec(text)
  if (match === null || /(?:P|T)$/i.test(text)) return undefined
  const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const total = BigInt(days) * 86_400n + BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)
  const ticks = total * ticksInSecond + BigInt(fraction.padEnd(12, '0'))
  return sign === '-' ? -ticks : ticks
}

/** The calendar date of a day since 1970. */
export function calendarOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const date = new Date(days * 86_400_000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The local day of an instant, and the ticks since its midnight. */
export function localOf(ticks: bigint, offset: number): { readonly days: number; readonly ticks: bigint } {
  const local = ticks + BigInt(offset) * 60n * ticksInSecond
  const rest = ((local % ticksInDay) + ticksInDay) % ticksInDay
  return { days: Number((local - rest) / ticksInDay), ticks: rest }
}

/** Without the sign and the zeros that ISO 8601 adds to years beyond 9999. */
function isoSeconds(milliseconds: number): string {
  const [, sign = '', year = '', rest = ''] =
    /^([+-]?)(\d+)(.*)\.\d+Z$/.exec(new Date(milliseconds).toISOString()) ?? []
  return `${sign === '-' ? '-' : ''}${String(Number(year)).padStart(4, '0')}${rest}`
}

/** Formats an instant in UTC, with as many fractional digits as it needs, in groups of three. */
export function instantText(ticks: bigint): string {
  const { days, ticks: rest } = localOf(ticks, 0)
  const whole = rest / ticksInSecond
  const seconds = isoSeconds(days * 86_400_000 + Number(whole) * 1000)
  const fraction = String(rest % ticksInSecond).padStart(12, '0')
  if (/^0+$/.test(fraction)) return `${seconds}Z`
  const digits = fraction.replace(/(?:000)+$/, '')
  return `${seconds}.${digits}Z`
}
