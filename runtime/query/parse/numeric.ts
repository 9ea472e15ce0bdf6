import type { Literal } from '../ast.js'
import { COLON, isDigit, MINUS, PLUS } from '../lexical/characters.js'
import { dateEnd } from '../lexical/date.js'
import { isTimeSeparator, zonedTimeEnd } from '../lexical/date-time-offset.js'
import { digitsEnd } from '../lexical/digits.js'
import { guidEnd, looksLikeGuid } from '../lexical/guid.js'
import { hoursAndMinutesEnd, timeOfDayEnd } from '../lexical/time-of-day.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { infinity, parseNumber, startsInfinity } from './number.js'

/**
 * A literal that begins with a digit or a sign: a number, a date, a time, a date-time or a Guid.
 *
 * @see OData ABNF, `primitiveLiteral`
 */
export function parseNumeric(cursor: Cursor): Literal {
  const { text, position } = cursor
  const sign = text.charCodeAt(position)
  const signed = !isDigit(sign)
  if (sign === MINUS && startsInfinity(text, position + 1)) {
    cursor.position += 1 + infinity.length
    return { kind: 'literal', type: 'Double', value: `-${infinity}` }
  }
  if (!signed && looksLikeGuid(text, position)) return parseGuid(cursor)
  const start = signed ? position + 1 : position
  const digits = digitsEnd(text, start)
  const next = text.charCodeAt(digits)
  if (next === MINUS && digits - start >= 4 && sign !== PLUS) return parseDateOrTimestamp(cursor)
  // In `case(a gt 10:1)` the colon belongs to `case`.
  if (next === COLON && !signed && hoursAndMinutesEnd(text, position) !== -1) return parseClock(cursor)
  return parseNumber(cursor)
}

/** A Guid, in lower case. */
export function parseGuid(cursor: Cursor): Literal {
  const { text, position } = cursor
  const end = guidEnd(text, position)
  if (end === -1) fail(cursor, position, ['a Guid (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx, hexadecimal)'])
  cursor.position = end
  return { kind: 'literal', type: 'Guid', value: text.slice(position, end).toLowerCase() }
}

function parseDateOrTimestamp(cursor: Cursor): Literal {
  const { text, position } = cursor
  const end = dateEnd(text, position)
  if (end === -1) fail(cursor, position, ['a date (YYYY-MM-DD) of the calendar'])
  if (!isTimeSeparator(text, end)) {
    cursor.position = end
    return { kind: 'literal', type: 'Date', value: text.slice(position, end) }
  }
  const instantEnd = zonedTimeEnd(text, end + 1)
  if (instantEnd === -1) {
    fail(cursor, position, ['a date and time (YYYY-MM-DDThh:mm:ssZ, or with an offset ±hh:mm)'])
  }
  cursor.position = instantEnd
  return { kind: 'literal', type: 'DateTimeOffset', value: text.slice(position, instantEnd).toUpperCase() }
}

function parseClock(cursor: Cursor): Literal {
  const { text, position } = cursor
  const end = timeOfDayEnd(text, position)
  if (end === -1) fail(cursor, position, ['a time of day (hh:mm, hh:mm:ss or hh:mm:ss.fff)'])
  cursor.position = end
  return { kind: 'literal', type: 'TimeOfDay', value: text.slice(position, end) }
}
