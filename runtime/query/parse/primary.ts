import type { Expression } from '../ast.js'
import {
  AT,
  DOLLAR,
  isAsciiLetter,
  isDigit,
  MINUS,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  SINGLE_QUOTE,
} from '../lexical/characters.js'
import { identifierEnd } from '../lexical/identifier.js'
import { parseAt } from './alias.js'
import { closeParenthesis } from './close-parenthesis.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { parseImplicitVariable } from './implicit-variable.js'
import { parseJsonArray, parseJsonObject } from './json.js'
import { parseNamed } from './named.js'
import { enter } from './nesting.js'
import { parseNumeric } from './numeric.js'
import { skipWhitespace } from './punctuation.js'
import { parseString } from './string.js'

/** One operand: a literal, a path, a call, a parenthesised expression. @see OData ABNF, `commonExpr` */
export function parsePrimary(cursor: Cursor): Expression {
  cursor.steps += 1
  const code = cursor.text.charCodeAt(cursor.position)
  if (isAsciiLetter(code)) return parseNamed(cursor)
  if (code === SINGLE_QUOTE) return { kind: 'literal', type: 'String', value: parseString(cursor) }
  if (isDigit(code) || code === MINUS || code === PLUS) return parseNumeric(cursor)
  switch (code) {
    case OPEN:
      return parseParenthesised(cursor)
    case AT:
      return parseAt(cursor)
    case DOLLAR:
      return parseImplicitVariable(cursor)
    case OPEN_BRACKET:
      return parseJsonArray(cursor)
    case OPEN_BRACE:
      return parseJsonObject(cursor)
    default:
      return parseOther(cursor)
  }
}

function parseOther(cursor: Cursor): Expression {
  const { text, position } = cursor
  if (identifierEnd(text, position) > position) return parseNamed(cursor)
  const hint = text[position] === '"' ? 'A string stands in single quotes.' : undefined
  return fail(cursor, position, ['an operand (a literal, a name, a function call or `(`)'], hint)
}

function parseParenthesised(cursor: Cursor): Expression {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const expression = parseExpression(cursor)
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return expression
}
