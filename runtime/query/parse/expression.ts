import type { Expression } from '../ast.js'
import { CASE_BIT, isDigit, isWhitespace, LOWER_N, LOWER_O, LOWER_T, MINUS, OPEN } from '../lexical/characters.js'
import type { Cursor } from './cursor.js'
import { parseInOperand } from './list.js'
import { enter } from './nesting.js'
import { startsInfinity } from './number.js'
import { lowestPrecedence, peekOperator, primaryPrecedence } from './operators.js'
import { parsePrimary } from './primary.js'
import { skipWhitespace } from './punctuation.js'

/**
 * An expression up to the first character that cannot continue it.
 *
 * @see OData ABNF, `commonExpr`; precedence: URL Conventions 5.1.1.17
 */
export function parseExpression(cursor: Cursor): Expression {
  return parseBinary(cursor, lowestPrecedence)
}

/** Operands joined by operators that bind at least as tightly as `minimum`; equal operators group from the left. */
function parseBinary(cursor: Cursor, minimum: number): Expression {
  let left = parseUnary(cursor)
  for (;;) {
    const operator = peekOperator(cursor)
    if (operator === undefined || operator.precedence < minimum) return left
    cursor.position = cursor.operatorEnd
    left = {
      kind: 'binary',
      operator: operator.name,
      left,
      right: parseRight(cursor, operator.name, operator.precedence),
    }
  }
}

function parseRight(cursor: Cursor, operator: string, precedence: number): Expression {
  if (precedence < primaryPrecedence) return parseBinary(cursor, precedence + 1)
  return operator === 'in' ? parseInOperand(cursor) : parsePrimary(cursor)
}

function parseUnary(cursor: Cursor): Expression {
  const code = cursor.text.charCodeAt(cursor.position)
  if (code === MINUS && startsNegation(cursor)) {
    cursor.position += 1
    return { kind: 'unary', operator: 'negate', operand: parseOperandOfSign(cursor) }
  }
  if ((code | CASE_BIT) === LOWER_N && startsNot(cursor)) {
    cursor.position += 3
    return { kind: 'unary', operator: 'not', operand: parseOperandOfSign(cursor) }
  }
  return parsePrimary(cursor)
}

function parseOperandOfSign(cursor: Cursor): Expression {
  enter(cursor)
  skipWhitespace(cursor)
  const operand = parseBinary(cursor, primaryPrecedence)
  cursor.nesting -= 1
  return operand
}

/** A minus directly before a digit or `INF` belongs to the literal. */
function startsNegation(cursor: Cursor): boolean {
  const next = cursor.position + 1
  return !isDigit(cursor.text.charCodeAt(next)) && !startsInfinity(cursor.text, next)
}

/** `not` is the operator when whitespace or a parenthesis follows; otherwise it is a name. */
function startsNot(cursor: Cursor): boolean {
  const { text, position } = cursor
  if ((text.charCodeAt(position + 1) | CASE_BIT) !== LOWER_O) return false
  if ((text.charCodeAt(position + 2) | CASE_BIT) !== LOWER_T) return false
  const next = text.charCodeAt(position + 3)
  return isWhitespace(next) || next === OPEN
}
