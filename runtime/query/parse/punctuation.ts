import { CLOSE, COMMA } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

/** Passes over optional whitespace. */
export function skipWhitespace(cursor: Cursor): void {
  cursor.position = whitespaceEnd(cursor.text, cursor.position)
}

/** Takes one character, if it stands here. */
export function take(cursor: Cursor, code: number): boolean {
  if (cursor.text.charCodeAt(cursor.position) !== code) return false
  cursor.position += 1
  return true
}

/** Takes one character with optional whitespace on both sides, if it comes next; otherwise takes nothing. */
export function takeSpaced(cursor: Cursor, code: number): boolean {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== code) return false
  cursor.position = whitespaceEnd(cursor.text, position + 1)
  return true
}

/** Takes `)` with whitespace before it, or fails at what stands there instead. */
export function takeClose(cursor: Cursor, alternatives: readonly string[] = []): void {
  skipWhitespace(cursor)
  if (!take(cursor, CLOSE)) fail(cursor, cursor.position, ['`)`', ...alternatives])
}

/** Takes the `,` between two arguments, or fails at what stands there instead. */
export function takeComma(cursor: Cursor): void {
  if (takeSpaced(cursor, COMMA)) return
  skipWhitespace(cursor)
  fail(cursor, cursor.position, ['`,`'])
}
