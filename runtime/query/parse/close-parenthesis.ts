import { CLOSE } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import type { Cursor } from './cursor.js'
import { failAfterOperand } from './operators.js'

/** Takes the `)` behind an expression, or says what could stand here or continue the expression. */
export function closeParenthesis(cursor: Cursor, alternatives: readonly string[] = []): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== CLOSE) failAfterOperand(cursor, ['`)`', ...alternatives])
  cursor.position = position + 1
}
