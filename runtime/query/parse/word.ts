import { identifierEnd } from '../lexical/identifier.js'
import type { Cursor } from './cursor.js'

/** Takes everything up to the end of a keyword, in any letter case, if it stands alone at `start`. */
export function takeWord(cursor: Cursor, start: number, word: string): boolean {
  const end = start + word.length
  if (identifierEnd(cursor.text, start) !== end) return false
  if (cursor.text.slice(start, end).toLowerCase() !== word) return false
  cursor.position = end
  return true
}
