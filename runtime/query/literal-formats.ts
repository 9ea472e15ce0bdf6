import {
  CASE_BIT,
  COLON,
  DIGIT_0,
  DOT,
  digitsEnd,
  isAsciiLetter,
  isDigit,
  isHexDigit,
  isIdentifier,
  LOWER_T,
  LOWER_Z,
  MINUS,
  maxNesting,
  PLUS,
  UNDERSCORE,
} from './cursor.js'

/** The end of the Guid at `position`, or -1. @see OData ABNF, `guid` */
export function guidEnd(text: string, position: number): number {
  if (!looksLikeGuid(text, position)) return -1
  if (text.charCodeAt(position + 18) !== MINUS || text.charCodeAt(position + 23) !== MINUS) return -1
  return areHexDigits(text, position + 14, position + 18) &&
    areHexDigits(text, position + 19, position + 23) &&
    areHexDigits(text, position + 24, position + 36)
    ? position + 36
    : -1
}

/** Whether the text at `position` starts like a Guid, up to the second hyphen, so that it can be nothing else. */
export function looksLikeGuid(text: string, position: number): boolean {
  return (
    text.charCodeAt(position + 8) === MINUS &&
    text.charCodeAt(position + 13) === MINUS &&
    areHexDigits(text, position, position + 8) &&
    areHexDigits(text, position + 9, position + 13)
  )
}

function areHexDigits(text: string, start: number, end: number): boolean {
  for (let position = start; position < end; position += 1) {
    if (!isHexDigit(text.charCodeAt(position))) return false
  }
  return true
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** The number with the two digits at `position`, or -1. */
function twoDigits(text: string, position: number): number {
  const tens = text.charCodeAt(position)
  const ones = text.charCodeAt(position + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - DIGIT_0) * 10 + (ones - DIGIT_0) : -1
}

/**
 * The end of the date `[-]YYYY-MM-DD` at `position`, or -1. A year has four digits, or more without leading zeros. The day must
 * exist in the proleptic Gregorian calendar.
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

/** Leap years repeat every 400 years, so the last four digits decide. */
function isLeapYear(text: string, yearEnd: number): boolean {
  const year = twoDigits(text, yearEnd - 4) * 100 + twoDigits(text, yearEnd - 2)
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

const maxFractionalDigits = 12

/**
 * The end of the time `hh:mm[:ss[.f...]]` at `position`, or -1. It has up to 12 fractional digits. Second 60 is a leap second.
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

/** The end of `hh:mm` at `position`, or -1. */
export function hoursAndMinutesEnd(text: string, position: number): number {
  const hour = twoDigits(text, position)
  const minute = twoDigits(text, position + 3)
  const valid = hour >= 0 && hour <= 23 && text.charCodeAt(position + 2) === COLON && minute >= 0 && minute <= 59
  return valid ? position + 5 : -1
}

/**
 * The end of the date and time `<date>T<time>(Z|+hh:mm|-hh:mm)` at `position`, or -1.
 *
 * @see OData ABNF, `dateTimeOffsetLiteral`
 */
export function dateTimeOffsetEnd(text: string, position: number): number {
  const separator = dateEnd(text, position)
  return separator !== -1 && isTimeSeparator(text, separator) ? zonedTimeEnd(text, separator + 1) : -1
}

export function isTimeSeparator(text: string, position: number): boolean {
  return (text.charCodeAt(position) | CASE_BIT) === LOWER_T
}

/** The end of the time with its time zone, `hh:mm:ssZ` or `hh:mm:ss+hh:mm`, at `position`, or -1. */
export function zonedTimeEnd(text: string, position: number): number {
  const zone = timeOfDayEnd(text, position)
  if (zone === -1) return -1
  const sign = text.charCodeAt(zone)
  if ((sign | CASE_BIT) === LOWER_Z) return zone + 1
  return sign === PLUS || sign === MINUS ? hoursAndMinutesEnd(text, zone + 1) : -1
}

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

/** The end of digits and their unit at `position`, or `position` if the component is absent. */
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

const lastOfTwo = 'AQgw'
const lastOfThree = 'AEIMQUYcgkosw048'

/** Whether the text is base64url, with or without padding. @see OData ABNF, `binaryValue` */
export function isBinary(text: string): boolean {
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  for (let position = 0; position < end; position += 1) {
    const code = text.charCodeAt(position)
    if (!isAsciiLetter(code) && !isDigit(code) && code !== MINUS && code !== UNDERSCORE) return false
  }
  const rest = end % 4
  const padding = text.length - end
  if (rest === 2) return padding !== 1 && lastOfTwo.includes(text.charAt(end - 1))
  if (rest === 3) return padding !== 2 && lastOfThree.includes(text.charAt(end - 1))
  return rest === 0 && padding === 0
}

const memberNumber = /^[+-]?[0-9]{1,19}$/

/** Whether the text is a list of member names or integers, `Red,Blue`. @see OData ABNF, `enumValue` */
export function isEnumMembers(text: string): boolean {
  return text.split(',').every(member => isIdentifier(member) || memberNumber.test(member))
}

const shapeName = /[A-Za-z]+/y
const coordinate = /(?:[+-]?[0-9]+(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?|NaN|-?INF)/y
const spatialReference = /SRID=[0-9]{1,5};/iy

const shapeEnds: Readonly<Record<string, (text: string, position: number) => number>> = {
  point: (text, position) => listEnd(text, position, 1, 1, coordinatesEnd),
  linestring: lineEnd,
  polygon: polygonEnd,
  multipoint: (text, position) => listEnd(text, position, 0, Infinity, pointEnd),
  multilinestring: (text, position) => listEnd(text, position, 0, Infinity, lineEnd),
  multipolygon: (text, position) => listEnd(text, position, 0, Infinity, polygonEnd),
}

/**
 * Whether the text is a value between the quotes of `geography'...'`: `SRID=<digits>;` and a shape in well-known text,
 * `Point(1 2)`, in any letter case. Spaces around commas are allowed.
 *
 * @see OData ABNF, `fullPointLiteral` and its siblings
 */
export function isGeo(text: string): boolean {
  const start = matchEnd(spatialReference, text, 0)
  return start !== -1 && shapeEnd(text, start, maxNesting) === text.length
}

function shapeEnd(text: string, position: number, nesting: number): number {
  const end = matchEnd(shapeName, text, position)
  if (end === -1 || nesting === 0) return -1
  const name = text.slice(position, end).toLowerCase()
  if (name === 'geometrycollection') {
    return listEnd(text, end, 1, Infinity, (inner, start) => shapeEnd(inner, start, nesting - 1))
  }
  const data = Object.hasOwn(shapeEnds, name) ? shapeEnds[name] : undefined
  return data === undefined ? -1 : data(text, end)
}

function pointEnd(text: string, position: number): number {
  return listEnd(text, position, 1, 1, coordinatesEnd)
}

function lineEnd(text: string, position: number): number {
  return listEnd(text, position, 2, Infinity, coordinatesEnd)
}

function ringEnd(text: string, position: number): number {
  return listEnd(text, position, 1, Infinity, coordinatesEnd)
}

function polygonEnd(text: string, position: number): number {
  return listEnd(text, position, 1, Infinity, ringEnd)
}

/** Two to four numbers: longitude, latitude, and optionally elevation and measure. */
function coordinatesEnd(text: string, position: number): number {
  let end = matchEnd(coordinate, text, position)
  for (let count = 1; end !== -1; count += 1) {
    const next = spacesEnd(text, end)
    const following = next > end && count < 4 ? matchEnd(coordinate, text, next) : -1
    if (following === -1) return count >= 2 ? end : -1
    end = following
  }
  return -1
}

function listEnd(
  text: string,
  position: number,
  least: number,
  most: number,
  itemEnd: (text: string, position: number) => number,
): number {
  if (text[position] !== '(') return -1
  let end = spacesEnd(text, position + 1)
  if (text[end] === ')') return least === 0 ? end + 1 : -1
  for (let count = 1; count <= most; count += 1) {
    end = itemEnd(text, end)
    if (end === -1) return -1
    end = spacesEnd(text, end)
    if (text[end] === ')') return count >= least ? end + 1 : -1
    if (text[end] !== ',') return -1
    end = spacesEnd(text, end + 1)
  }
  return -1
}

function spacesEnd(text: string, position: number): number {
  let end = position
  while (text[end] === ' ') end += 1
  return end
}

function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : -1
}
