import type { SearchExpression } from './ast.js'
import {
  CLOSE,
  Cursor,
  DOUBLE_QUOTE,
  enter,
  fail,
  isWhitespace,
  OPEN,
  SEMICOLON,
  SINGLE_QUOTE,
  skipWhitespace,
  take,
  takeClose,
  whitespaceEnd,
} from './cursor.js'
import { parseString } from './literals.js'
import { requireEnd } from './operators.js'

/**
 * The tree of a `$search`, percent-decoded: `"displayName:anna" OR green`.
 *
 * `NOT` binds tighter than `AND`, `AND` tighter than `OR`; words side by side are joined by `AND`. The three are operators
 * in upper case only, and only where an operand follows: `AND` alone is a word to look for. A phrase in double quotes has
 * no escapes. A text in single quotes is one term as it stands, an incomplete search.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.7, and the OData ABNF, `searchExpr`
 */
export function parseSearch(text: string): SearchExpression {
  const cursor = new Cursor(text, '$search')
  const expression = parseSearchExpression(cursor, false)
  skipWhitespace(cursor)
  requireEnd(cursor, ['a word', '`"`', '`(`'])
  return expression
}

/** A search up to the first character that cannot continue it; a semicolon ends it when it stands in nested options. */
export function parseSearchExpression(cursor: Cursor, nested: boolean): SearchExpression {
  skipWhitespace(cursor)
  if (cursor.text.charCodeAt(cursor.position) === SINGLE_QUOTE) return { kind: 'term', text: parseString(cursor) }
  return parseOr(cursor, nested)
}

function parseOr(cursor: Cursor, nested: boolean): SearchExpression {
  let left = parseAnd(cursor, nested)
  while (takeOperator(cursor, 'OR', nested)) left = { kind: 'or', left, right: parseAnd(cursor, nested) }
  return left
}

function parseAnd(cursor: Cursor, nested: boolean): SearchExpression {
  let left = parseNot(cursor, nested)
  while (takeOperator(cursor, 'AND', nested) || takeImpliedAnd(cursor, nested)) {
    left = { kind: 'and', left, right: parseNot(cursor, nested) }
  }
  return left
}

function parseNot(cursor: Cursor, nested: boolean): SearchExpression {
  cursor.steps += 1
  const operand = operandBehind(cursor, 'NOT', cursor.position, nested)
  if (operand === -1) return parseOperand(cursor, nested)
  enter(cursor)
  cursor.position = operand
  const negated = parseNot(cursor, nested)
  cursor.nesting -= 1
  return { kind: 'not', operand: negated }
}

function parseOperand(cursor: Cursor, nested: boolean): SearchExpression {
  const { text, position } = cursor
  const code = text.charCodeAt(position)
  if (code === OPEN) return parseGroup(cursor, nested)
  if (code === DOUBLE_QUOTE) return parsePhrase(cursor)
  const end = searchWordEnd(text, position, nested)
  if (end === position || code === SINGLE_QUOTE) fail(cursor, position, ['a word', 'a phrase in double quotes', '`(`'])
  cursor.position = end
  return { kind: 'term', text: text.slice(position, end) }
}

function parseGroup(cursor: Cursor, nested: boolean): SearchExpression {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const expression = parseOr(cursor, nested)
  takeClose(cursor, ['a word', '`AND`', '`OR`'])
  cursor.nesting -= 1
  return expression
}

function parsePhrase(cursor: Cursor): SearchExpression {
  const start = cursor.position + 1
  const end = cursor.text.indexOf('"', start)
  if (end === -1) fail(cursor, cursor.text.length, ['`"`'])
  if (end === start) fail(cursor, end, ['a phrase between the quotes'])
  cursor.position = end
  take(cursor, DOUBLE_QUOTE)
  return { kind: 'phrase', text: cursor.text.slice(start, end) }
}

function takeOperator(cursor: Cursor, word: 'AND' | 'OR', nested: boolean): boolean {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position) return false
  const operand = operandBehind(cursor, word, start, nested)
  if (operand === -1) return false
  cursor.position = operand
  return true
}

/** Whitespace before an operand that no `OR` begins. */
function takeImpliedAnd(cursor: Cursor, nested: boolean): boolean {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position || !startsOperand(cursor.text, start, nested)) return false
  if (operandBehind(cursor, 'OR', start, nested) !== -1) return false
  cursor.position = start
  return true
}

/** Where the operand behind an operator at `start` begins, or -1 when there the word is no operator. */
function operandBehind(cursor: Cursor, word: string, start: number, nested: boolean): number {
  const { text } = cursor
  if (!text.startsWith(word, start)) return -1
  const operand = whitespaceEnd(text, start + word.length)
  return operand > start + word.length && startsOperand(text, operand, nested) ? operand : -1
}

function startsOperand(text: string, position: number, nested: boolean): boolean {
  const code = text.charCodeAt(position)
  return (
    code === OPEN ||
    code === DOUBLE_QUOTE ||
    (code !== SINGLE_QUOTE && searchWordEnd(text, position, nested) > position)
  )
}

/**
 * The offset behind the word of a search at `position`: all but whitespace, parentheses and double quotes, and, within the
 * options of another option, semicolons.
 *
 * @see OData ABNF, `searchWord`
 */
export function searchWordEnd(text: string, position: number, nested: boolean): number {
  for (let end = position; ; end += 1) {
    const code = text.charCodeAt(end)
    if (Number.isNaN(code) || isWhitespace(code) || code === OPEN || code === CLOSE || code === DOUBLE_QUOTE) return end
    if (nested && code === SEMICOLON) return end
  }
}
