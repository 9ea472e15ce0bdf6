import { dayAt } from '../calendar.js'
import { type Decimal, floor, fromInteger, subtract } from '../decimal.js'
import { localParts, parseDate, parseDateTimeOffset, parseDuration, parseTimeOfDay } from '../temporal-text.js'
import { type DateTimeOffsetValue, type DateValue, type DurationValue, integer, type Present } from '../value.js'
import { type CanonicalFunction, misfit } from './function.js'

/**
 * Parts of dates, instants, times and durations. The parts of an instant are those of the zone in which it was given.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.8
 */
export const dateTimeFunctions: Readonly<Record<string, CanonicalFunction>> = {
  year: ([value]) => integer(dayAt(dateArgument('year', value).days).year),
  month: ([value]) => integer(dayAt(dateArgument('month', value).days).month),
  day: ([value]) => integer(dayAt(dateArgument('day', value).days).day),
  hour: ([value]) => integer(floor(clockArgument('hour', value)) / 3600n),
  minute: ([value]) => integer((floor(clockArgument('minute', value)) / 60n) % 60n),
  second: ([value]) => integer(floor(clockArgument('second', value)) % 60n),
  fractionalseconds: ([value]) => {
    const seconds = clockArgument('fractionalseconds', value)
    return { kind: 'decimal', value: subtract(seconds, fromInteger(floor(seconds))) }
  },
  totalseconds: ([value]) => ({ kind: 'decimal', value: durationArgument(value).seconds }),
  date: ([value]) => localParts(instantArgument('date', value)).date,
  time: ([value]) => localParts(instantArgument('time', value)).time,
  totaloffsetminutes: ([value]) => integer(instantArgument('totaloffsetminutes', value).offset),
}

/** The argument, or, when it is a string whose type nobody declared, what it looks like. */
function typed(value: Present | undefined): Exclude<Present, boolean> | undefined {
  if (value === undefined || typeof value === 'boolean') return undefined
  if (value.kind !== 'string') return value
  const { text } = value
  return parseDateTimeOffset(text) ?? parseDate(text) ?? parseTimeOfDay(text) ?? parseDuration(text) ?? value
}

function dateArgument(name: string, argument: Present | undefined): DateValue {
  const value = typed(argument)
  if (value?.kind === 'date') return value
  return value?.kind === 'dateTimeOffset'
    ? localParts(value).date
    : misfit(name, argument, 'a date, or a date and time')
}

/** Seconds since midnight. */
function clockArgument(name: string, argument: Present | undefined): Decimal {
  const value = typed(argument)
  if (value?.kind === 'timeOfDay') return value.seconds
  if (value?.kind === 'dateTimeOffset') return localParts(value).time.seconds
  return misfit(name, argument, 'a date and time, or a time of day')
}

function instantArgument(name: string, argument: Present | undefined): DateTimeOffsetValue {
  const value = typed(argument)
  return value?.kind === 'dateTimeOffset' ? value : misfit(name, argument, 'a date and time')
}

function durationArgument(argument: Present | undefined): DurationValue {
  const value = typed(argument)
  return value?.kind === 'duration' ? value : misfit('totalseconds', argument, 'a duration')
}
