import type { Literal } from './ast.js'
import {
  BACKSLASH,
  CASE_BIT,
  COLON,
  type Cursor,
  DOT,
  DOUBLE_QUOTE,
  digitsEnd,
  fail,
  identifierEnd,
  isDigit,
  isHexDigit,
  LOWER_E,
  MINUS,
  PLUS,
  SINGLE_QUOTE,
} from './cursor.js'
import {
  dateEnd,
  guidEnd,
  hoursAndMinutesEnd,
  isBinary,
  isDuration,
  isEnumMembers,
  isGeo,
  isTimeSeparator,
  looksLikeGuid,
  timeOfDayEnd,
  zonedTimeEnd,
} from './literal-formats.js'

/**
 * A literal that starts with a digit or a sign: a number, a date, a time, a date and time or a Guid.
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
  // In `case(a gt 10:1)`, the colon belongs to `case`.
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
    fail(cursor, position, ['a date and time (YYYY-MM-DDThh:mm:ssZ, or with an offset +hh:mm)'])
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

const infinity = 'INF'

/** Whether the whole word at `position` is `INF`. */
export function startsInfinity(text: string, position: number): boolean {
  return text.startsWith(infinity, position) && identifierEnd(text, position) === position + infinity.length
}

/**
 * A number, optionally with a sign.
 *
 * @see OData ABNF, `decimalLiteral`
 */
function parseNumber(cursor: Cursor): Literal {
  const { text, position } = cursor
  const sign = text.charCodeAt(position)
  const digits = sign === MINUS || sign === PLUS ? position + 1 : position
  const start = sign === PLUS ? digits : position
  let type: 'Integer' | 'Decimal' | 'Double' = 'Integer'
  let end = takeDigits(cursor, digits)
  if (text.charCodeAt(end) === DOT) {
    type = 'Decimal'
    end = takeDigits(cursor, end + 1)
  }
  if ((text.charCodeAt(end) | CASE_BIT) === LOWER_E) return parseExponent(cursor, text.slice(start, end), end + 1)
  cursor.position = end
  return { kind: 'literal', type, value: text.slice(start, end) }
}

function parseExponent(cursor: Cursor, mantissa: string, position: number): Literal {
  const { text } = cursor
  const sign = text.charCodeAt(position)
  const digits = sign === MINUS || sign === PLUS ? position + 1 : position
  const end = takeDigits(cursor, digits)
  cursor.position = end
  return { kind: 'literal', type: 'Double', value: `${mantissa}e${text.slice(sign === PLUS ? digits : position, end)}` }
}

function takeDigits(cursor: Cursor, position: number): number {
  const end = digitsEnd(cursor.text, position)
  return end === position ? fail(cursor, position, ['a digit']) : end
}

const nullLiteral: Literal = { kind: 'literal', type: 'null', value: null }
const trueLiteral: Literal = { kind: 'literal', type: 'Boolean', value: true }
const falseLiteral: Literal = { kind: 'literal', type: 'Boolean', value: false }
const infinityLiteral: Literal = { kind: 'literal', type: 'Double', value: 'INF' }
const notANumberLiteral: Literal = { kind: 'literal', type: 'Double', value: 'NaN' }

const longestKeyword = 5

/**
 * The literal that a word represents: `null`, `INF` and `NaN` in exactly this letter case, `true` and `false` in any.
 *
 * @see OData ABNF, `null`, `boolean`, `nanInfinity`
 */
export function keywordLiteral(word: string): Literal | undefined {
  if (word.length > longestKeyword) return undefined
  switch (word) {
    case 'null':
      return nullLiteral
    case 'INF':
      return infinityLiteral
    case 'NaN':
      return notANumberLiteral
    case 'true':
      return trueLiteral
    case 'false':
      return falseLiteral
    default:
      return booleanInAnyCase(word)
  }
}

function booleanInAnyCase(word: string): Literal | undefined {
  const lower = word.toLowerCase()
  return lower === 'true' ? trueLiteral : lower === 'false' ? falseLiteral : undefined
}

/**
 * The quoted text of a literal such as `duration'P1D'`, whose prefix, in any letter case, is consumed.
 *
 * @see OData ABNF, `durationLiteral`, `binaryLiteral`, `geographyPoint` and its siblings
 */
export function parsePrefixedLiteral(cursor: Cursor, prefix: string, start: number): Literal {
  const quote = cursor.position
  switch (prefix.toLowerCase()) {
    case 'duration': {
      const value = parseString(cursor).toUpperCase()
      if (!isDuration(value)) fail(cursor, quote + 1, ['a duration (P1DT2H3M4.5S)'])
      return { kind: 'literal', type: 'Duration', value }
    }
    case 'binary': {
      const value = parseString(cursor)
      if (!isBinary(value)) fail(cursor, quote + 1, ['base64url text'])
      return { kind: 'literal', type: 'Binary', value }
    }
    case 'geography':
      return { kind: 'literal', type: 'Geography', value: parseGeo(cursor) }
    case 'geometry':
      return { kind: 'literal', type: 'Geometry', value: parseGeo(cursor) }
    default:
      return fail(cursor, start, [
        'binary',
        'duration',
        'geography',
        'geometry',
        'a qualified enumeration type before the quote',
      ])
  }
}

function parseGeo(cursor: Cursor): string {
  const start = cursor.position + 1
  const value = parseString(cursor)
  if (!isGeo(value)) fail(cursor, start, ['a spatial value (SRID=0;Point(1 2))'])
  return value
}

/** The quoted members of an enumeration literal `ns.Color'Red,Blue'`, whose qualified name is consumed. */
export function parseEnumLiteral(cursor: Cursor, enumType: string): Literal {
  const start = cursor.position + 1
  const value = parseString(cursor)
  if (!isEnumMembers(value)) fail(cursor, start, ['member names or integers, separated by commas'])
  return { kind: 'literal', type: 'Enum', enumType, value }
}

/** The text between single quotes, with each doubled quote read as one. @see OData ABNF, `stringLiteral` */
export function parseString(cursor: Cursor): string {
  const { text } = cursor
  const start = cursor.position + 1
  let end = closingQuote(cursor, start)
  if (text.charCodeAt(end + 1) !== SINGLE_QUOTE) {
    cursor.position = end + 1
    return text.slice(start, end)
  }
  while (text.charCodeAt(end + 1) === SINGLE_QUOTE) end = closingQuote(cursor, end + 2)
  cursor.position = end + 1
  return text.slice(start, end).replaceAll("''", "'")
}

function closingQuote(cursor: Cursor, position: number): number {
  const end = cursor.text.indexOf("'", position)
  return end === -1 ? fail(cursor, cursor.text.length, ["`'`"], "A quote inside a string is doubled: `''`.") : end
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** The text between double quotes, with the escapes of JSON. @see OData ABNF, `stringInUrl` */
export function parseJsonString(cursor: Cursor): string {
  const { text } = cursor
  let value = ''
  let start = cursor.position + 1
  for (let end = start; ; end += 1) {
    const code = text.charCodeAt(end)
    if (code === DOUBLE_QUOTE) {
      cursor.position = end + 1
      return value + text.slice(start, end)
    }
    if (Number.isNaN(code)) fail(cursor, end, ['`"`'])
    if (code === BACKSLASH) {
      value += text.slice(start, end) + unescaped(cursor, end)
      start = end + (text[end + 1] === 'u' ? 6 : 2)
      end = start - 1
    }
  }
}

function unescaped(cursor: Cursor, position: number): string {
  const { text } = cursor
  const letter = text.charAt(position + 1)
  const single = escapes.get(letter)
  if (single !== undefined) return single
  const digits = text.slice(position + 2, position + 6)
  if (letter !== 'u' || digits.length < 4 || ![...digits].every(digit => isHexDigit(digit.charCodeAt(0)))) {
    return fail(cursor, position, ['an escape of JSON (\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX)'])
  }
  return String.fromCharCode(Number.parseInt(digits, 16))
}
