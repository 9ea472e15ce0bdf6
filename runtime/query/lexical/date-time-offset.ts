import { CASE_BIT, LOWER_T, LOWER_Z, MINUS, PLUS } from './characters.js'
import { dateEnd } from './date.js'
import { hoursAndMinutesEnd, timeOfDayEnd } from './time-of-day.js'

/**
 * The offset behind the date-time `<date>T<time>(Z|±hh:mm)` at `position`, or -1.
 *
 * @see OData ABNF, `dateTimeOffsetLiteral`
 */
export function dateTimeOffsetEnd(text: string, position: number): number {
  const separator = dateEnd(text, position)
  return separator !== -1 && isTimeSeparator(text, separator) ? zonedTimeEnd(text, separator + 1) : -1
}

/** Whether the `T` between date and time stands at `position`. */
export function isTimeSeparator(text: string, position: number): boolean {
  return (text.charCodeAt(position) | CASE_BIT) === LOWER_T
}

/** The offset behind the time with its zone, `hh:mm:ssZ` or `hh:mm:ss±hh:mm`, at `position`, or -1. */
export function zonedTimeEnd(text: string, position: number): number {
  const zone = timeOfDayEnd(text, position)
  if (zone === -1) return -1
  const sign = text.charCodeAt(zone)
  if ((sign | CASE_BIT) === LOWER_Z) return zone + 1
  return sign === PLUS || sign === MINUS ? hoursAndMinutesEnd(text, zone + 1) : -1
}
