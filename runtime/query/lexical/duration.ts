import { CASE_BIT, DOT, MINUS } from './characters.js'
import { digitsEnd } from './digits.js'

const period = 'p'.charCodeAt(0)
const time = 't'.charCodeAt(0)
const days = 'd'.charCodeAt(0)
const hours = 'h'.charCodeAt(0)
const minutes = 'm'.charCodeAt(0)
const seconds = 's'.charCodeAt(0)

/**
 * Whether the text is a duration of days, hours, minutes and seconds: `P1DT2H3M4.5S`, in any letter case.
 *
 * @see OData ABNF, `durationValue`, and XML Schema 1.1 part 2, dayTimeDuration
 */
export function isDuration(text: string): boolean {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  if ((text.charCodeAt(start) | CASE_BIT) !== period) return false
  const daysEnd = componentEnd(text, start + 1, days)
  if ((text.charCodeAt(daysEnd) | CASE_BIT) !== time) return daysEnd > start + 1 && daysEnd === text.length
  const hoursEnd = componentEnd(text, daysEnd + 1, hours)
  const minutesEnd = componentEnd(text, hoursEnd, minutes)
  const end = componentEnd(text, minutesEnd, seconds)
  return end > daysEnd + 1 && end === text.length
}

/** The offset behind digits and their unit at `position`, or `position` when that component is left out. */
function componentEnd(text: string, position: number, unit: number): number {
  let end = digitsEnd(text, position)
  if (end === position) return position
  if (unit === seconds && text.charCodeAt(end) === DOT) {
    const fraction = digitsEnd(text, end + 1)
    if (fraction === end + 1) return position
    end = fraction
  }
  return (text.charCodeAt(end) | CASE_BIT) === unit ? end + 1 : position
}
