import type { Expression } from '../ast.js'
import { DOT, MINUS, OPEN, SINGLE_QUOTE, SLASH } from '../lexical/characters.js'
import { guidEnd } from '../lexical/guid.js'
import { identifierEnd } from '../lexical/identifier.js'
import { parseCall } from './call.js'
import type { Cursor } from './cursor.js'
import { requireLegalLength } from './identifier.js'
import { keywordLiteral } from './keyword-literal.js'
import { parseGuid } from './numeric.js'
import { parsePath } from './path.js'
import { parsePrefixedLiteral } from './prefixed-literal.js'
import { parseQualified } from './qualified.js'

const guidStart = 8

/** An operand that begins with a name: a keyword, a variable, a path, a call, or a literal with a prefix. */
export function parseNamed(cursor: Cursor): Expression {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  const next = text.charCodeAt(end)
  if (next === MINUS && end - position === guidStart && guidEnd(text, position) !== -1) return parseGuid(cursor)
  const name = text.slice(position, end)
  requireLegalLength(cursor, name)
  cursor.position = end
  if (next === DOT && identifierEnd(text, end + 1) > end + 1) return parseQualified(cursor, name)
  if (next === SINGLE_QUOTE) return parsePrefixedLiteral(cursor, name, position)
  if (next === OPEN) return parseCall(cursor, name, position)
  if (next !== SLASH) {
    const literal = keywordLiteral(name)
    if (literal !== undefined) return literal
  }
  return parsePath(cursor, name)
}
