import type { Literal } from '../ast.js'
import { CASE_BIT, DOT, LOWER_E, MINUS, PLUS } from '../lexical/characters.js'
import { digitsEnd } from '../lexical/digits.js'
import { identifierEnd } from '../lexical/identifier.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

/** How a literal writes what is greater than every number. */
export const infinity = 'INF'

/** Whether the word `INF`, and no longer name, stands at `position`. */
export function startsInfinity(text: string, position: number): boolean {
  return text.startsWith(infinity, position) && identifierEnd(text, position) === position + infinity.length
}

/**
 * A number whose digits begin at `cursor.position`, or behind one sign there.
 *
 * @see OData ABNF, `decimalLiteral`
 */
export function parseNumber(cursor: Cursor): Literal {
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
