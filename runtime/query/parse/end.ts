import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { failAfterOperand } from './operators.js'

/** Fails unless the whole text was read; behind an expression, an operator could have followed. */
export function requireEndOfExpression(cursor: Cursor, alternatives: readonly string[] = []): void {
  if (cursor.position < cursor.text.length) failAfterOperand(cursor, alternatives)
}

/** Fails unless the whole text was read. */
export function requireEnd(cursor: Cursor, alternatives: readonly string[]): void {
  if (cursor.position < cursor.text.length) fail(cursor, cursor.position, [...alternatives, 'the end'])
}
