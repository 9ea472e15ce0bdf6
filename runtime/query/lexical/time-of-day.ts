import { COLON, DOT } from './characters.js'
import { twoDigits } from './date.js'
import { digitsEnd } from './digits.js'

const maxFractionalDigits = 12

/**
 * The offset behind the time `hh:mm[:ss[.f…]]` at `position`, or -1; up to 12 fractional digits; second 60 is a leap second.
 *
 * @see OData ABNF, `timeOfDayLiteral`
 */
export function timeOfDayEnd(text: string, position: number): number {
  const minutesEnd = hoursAndMinutesEnd(text, position)
  if (minutesEnd === -1 || text.charCodeAt(minutesEnd) !== COLON) return minutesEnd
  const second = twoDigits(text, minutesEnd + 1)
  if (second === -1) return minutesEnd
  if (second > 60) return -1
  const secondsEnd = minutesEnd + 3
  if (text.charCodeAt(secondsEnd) !== DOT) return secondsEnd
  const digits = digitsEnd(text, secondsEnd + 1) - secondsEnd - 1
  return digits >= 1 && digits <= maxFractionalDigits ? secondsEnd + 1 + digits : -1
}

/** The offset behind `hh:mm` at `position`, or -1. */
export function hoursAndMinutesEnd(text: string, position: number): number {
  const hour = twoDigits(text, position)
  const minute = twoDigits(text, position + 3)
  const valid = hour >= 0 && hour <= 23 && text.charCodeAt(position + 2) === COLON && minute >= 0 && minute <= 59
  return valid ? position + 5 : -1
}
