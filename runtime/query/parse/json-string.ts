import { BACKSLASH, DOUBLE_QUOTE, isHexDigit } from '../lexical/characters.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

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
