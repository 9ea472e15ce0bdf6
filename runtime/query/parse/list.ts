import type { Expression } from '../ast.js'
import { CLOSE, COMMA, OPEN } from '../lexical/characters.js'
import { closeParenthesis } from './close-parenthesis.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { enter } from './nesting.js'
import { parsePrimary } from './primary.js'
import { skipWhitespace, take, takeClose, takeSpaced } from './punctuation.js'

/**
 * What stands behind `in`: a list of literals in parentheses, or an operand that is a collection. `(a)` with anything but
 * a literal in it is a parenthesised expression.
 *
 * @see OData ABNF, `inExpr`, `listExpr`
 */
export function parseInOperand(cursor: Cursor): Expression {
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return parsePrimary(cursor)
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const operand = parseListOrGroup(cursor)
  cursor.nesting -= 1
  return operand
}

function parseListOrGroup(cursor: Cursor): Expression {
  if (take(cursor, CLOSE)) return { kind: 'list', form: 'parentheses', items: [] }
  const grouped = cursor.text.charCodeAt(cursor.position) === OPEN
  const first = parseExpression(cursor)
  if (grouped || first.kind !== 'literal') {
    closeParenthesis(cursor)
    return first
  }
  const items: Expression[] = [first]
  while (takeSpaced(cursor, COMMA)) items.push(parseItem(cursor))
  takeClose(cursor, ['`,`'])
  return { kind: 'list', form: 'parentheses', items }
}

function parseItem(cursor: Cursor): Expression {
  const start = cursor.position
  const grouped = cursor.text.charCodeAt(start) === OPEN
  const item = parsePrimary(cursor)
  if (grouped || item.kind !== 'literal') {
    fail(cursor, start, ['a literal'], 'A list in parentheses holds literals; `[a,b]` may hold any expressions.')
  }
  return item
}
