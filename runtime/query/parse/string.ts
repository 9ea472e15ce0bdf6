import { SINGLE_QUOTE } from '../lexical/characters.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

/** The text between single quotes, each doubled quote in it read as one. @see OData ABNF, `stringLiteral` */
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
