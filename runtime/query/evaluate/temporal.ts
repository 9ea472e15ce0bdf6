import { dateEnd, dateTimeOffsetEnd, isDuration, timeOfDayEnd } from '../literal-formats.js'
import {
  add,
  type Decimal,
  decimalText,
  floor,
  floorDivide,
  fromInteger,
  multiply,
  negate,
  parseDecimal,
  subtract,
  zero,
} from './decimal.js'
import {
  type DateTimeOffsetValue,
  type DateValue,
  type DurationValue,
  EvaluationError,
  type TimeOfDayValue,
} from './value.js'

// Texts in the formats of the OData ABNF and their values. A text in another format gives undefined.

export const secondsOfDay = 86_400
const durationComponent = /([0-9]+(?:\.[0-9]+)?)([DHMS])/gi
const secondsOfUnit: Readonly<Record<string, number>> = { D: secondsOfDay, H: 3600, M: 60, S: 1 }
/** A JavaScript number cannot represent the days of longer years exactly. */
const maxYearDigits = 9

export function parseDate(text: string): DateValue | undefined {
  return dateEnd(text, 0) === text.length ? { kind: 'date', days: daysOf(text) } : undefined
}

export function parseDateTimeOffset(text: string): DateTimeOffsetValue | undefined {
  if (dateTimeOffsetEnd(text, 0) !== text.length) return undefined
  const separator = dateEnd(text, 0)
  const isUtc = /z$/i.test(text)
  const zone = isUtc ? text.length - 1 : text.length - 6
  const offset = isUtc ? 0 : offsetMinutes(text.slice(zone))
  const local = add(
    decimalOf(daysOf(text.slice(0, separator)) * secondsOfDay),
    clockSeconds(text.slice(separator + 1, zone)),
  )
  return { kind: 'dateTimeOffset', seconds: subtract(local, decimalOf(offset * 60)), offset }
}

export function parseTimeOfDay(text: string): TimeOfDayValue | undefined {
  return timeOfDayEnd(text, 0) === text.length ? { kind: 'timeOfDay', seconds: clockSeconds(text) } : undefined
}

export function parseDuration(text: string): DurationValue | undefined {
  if (!isDuration(text)) return undefined
  let seconds = zero
  for (const [, amount = '0', unit = 's'] of text.matchAll(durationComponent)) {
    seconds = add(seconds, multiply(parseDecimal(amount), decimalOf(secondsOfUnit[unit.toUpperCase()] ?? 1)))
  }
  return { kind: 'duration', seconds: text.startsWith('-') ? negate(seconds) : seconds }
}

export function dateText({ days }: DateValue): string {
  const { year, month, day } = dayAt(days)
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${padded(month)}-${padded(day)}`
}

export function timeOfDayText(time: TimeOfDayValue): string {
  const { hour, minute, second, fraction } = clockOf(time)
  const digits = decimalText(fraction).slice(1)
  // A leap second.
  if (hour >= 24) return `23:59:60${digits}`
  return `${padded(hour)}:${padded(minute)}:${padded(second)}${digits}`
}

export function dateTimeOffsetText(value: DateTimeOffsetValue): string {
  const { date, time } = localParts(value)
  const sign = value.offset < 0 ? '-' : '+'
  const minutes = Math.abs(value.offset)
  const zone = minutes === 0 ? 'Z' : `${sign}${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`
  return `${dateText(date)}T${timeOfDayText(time)}${zone}`
}

export function durationText({ seconds }: DurationValue): string {
  const magnitude = seconds.coefficient < 0n ? negate(seconds) : seconds
  const days = floor(magnitude) / BigInt(secondsOfDay)
  const rest = subtract(magnitude, fromInteger(days * BigInt(secondsOfDay)))
  const whole = Number(floor(rest))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const left = decimalText(subtract(rest, decimalOf(hours * 3600 + minutes * 60)))
  const clock = `${hours === 0 ? '' : `${hours}H`}${minutes === 0 ? '' : `${minutes}M`}${left === '0' ? '' : `${left}S`}`
  const text = `P${days === 0n ? '' : `${days}D`}${clock === '' ? '' : `T${clock}`}`
  return `${seconds.coefficient < 0n ? '-' : ''}${text === 'P' ? 'PT0S' : text}`
}

/** Hour, minute and second of a time of day. `fraction` is the fraction of the second. */
export interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly fraction: Decimal
}

export function clockOf({ seconds }: TimeOfDayValue): Clock {
  const whole = floor(seconds)
  const total = Number(whole)
  return {
    hour: Math.floor(total / 3600),
    minute: Math.floor(total / 60) % 60,
    second: total % 60,
    fraction: subtract(seconds, fromInteger(whole)),
  }
}

/** The date and the time of day of an instant, in its time zone. */
export function localParts({ seconds, offset }: DateTimeOffsetValue): {
  readonly date: DateValue
  readonly time: TimeOfDayValue
} {
  const local = add(seconds, decimalOf(offset * 60))
  const days = floorDivide(floor(local), BigInt(secondsOfDay))
  const time = subtract(local, fromInteger(days * BigInt(secondsOfDay)))
  return { date: { kind: 'date', days: Number(days) }, time: { kind: 'timeOfDay', seconds: time } }
}

function decimalOf(value: number): Decimal {
  return fromInteger(BigInt(value))
}

function daysOf(text: string): number {
  const month = text.length - 5
  const year = text.slice(0, month - 1)
  if (year.length > maxYearDigits) throw new EvaluationError(`The year ${year} is out of range.`)
  return daysSinceEpoch({
    year: Number(year),
    month: Number(text.slice(month, month + 2)),
    day: Number(text.slice(month + 3)),
  })
}

function clockSeconds(text: string): Decimal {
  const minutes = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  return add(decimalOf(minutes * 60), parseDecimal(text.slice(6) || '0'))
}

function offsetMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return zone.startsWith('-') ? -minutes : minutes
}

function padded(number: number): string {
  return String(number).padStart(2, '0')
}

/** A day of the proleptic Gregorian calendar. Year 0 is 1 BC. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const daysOf400Years = 146_097
const epochFromMarch0 = 719_468

/** Days since 1970-01-01. The calculation starts years in March, so that a leap day is the last of its year. */
export function daysSinceEpoch({ year, month, day }: Day): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysOf400Years + dayOfEra - epochFromMarch0
}

/** The inverse of `daysSinceEpoch`. */
export function dayAt(days: number): Day {
  const shifted = days + epochFromMarch0
  const era = Math.floor(shifted / daysOf400Years)
  const dayOfEra = shifted - era * daysOf400Years
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 }
}
