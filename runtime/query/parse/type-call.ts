import type { FunctionCall } from '../ast.js'
import { CLOSE, COMMA } from '../lexical/characters.js'
import { qualifiedNameEnd } from '../lexical/identifier.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { enter } from './nesting.js'
import { failAfterOperand } from './operators.js'
import { skipWhitespace, takeClose, takeSpaced } from './punctuation.js'
import { parseTypeName } from './type-name.js'

const collectionPrefix = 'Collection('

/**
 * `(type)` or `(expression,type)` behind the name `cast` or `isof`.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10
 */
export function parseTypeCall(cursor: Cursor, name: 'cast' | 'isof'): FunctionCall {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const expression = startsOnlyType(cursor) ? undefined : parseExpression(cursor)
  if (expression !== undefined && !takeSpaced(cursor, COMMA)) failAfterOperand(cursor, ['`,` and a type'])
  const type = parseTypeName(cursor)
  takeClose(cursor)
  cursor.nesting -= 1
  return { kind: 'call', function: name, arguments: expression === undefined ? [type] : [expression, type] }
}

/** Whether a lone type stands here: `name)`, or `Collection(name))`. */
function startsOnlyType(cursor: Cursor): boolean {
  const { text, position } = cursor
  const name = text.startsWith(collectionPrefix, position) ? position + collectionPrefix.length : position
  const closing = closingBehindName(text, name)
  return name === position || closing === -1 ? closing !== -1 : isClose(text, whitespaceEnd(text, closing + 1))
}

function closingBehindName(text: string, position: number): number {
  const end = qualifiedNameEnd(text, position)
  const closing = whitespaceEnd(text, end)
  return end > position && isClose(text, closing) ? closing : -1
}

function isClose(text: string, position: number): boolean {
  return text.charCodeAt(position) === CLOSE
}
