import type { Expression, ListExpression, NamedExpression, ObjectExpression } from '../ast.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, DOUBLE_QUOTE } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { parseJsonString } from './json-string.js'
import { enter } from './nesting.js'
import { failAfterOperand } from './operators.js'
import { skipWhitespace, take, takeSpaced } from './punctuation.js'

/** `[value,…]`, whose values may be any expressions. @see OData ABNF, `array` */
export function parseJsonArray(cursor: Cursor): ListExpression {
  const items: Expression[] = []
  if (!opensEmpty(cursor, CLOSE_BRACKET)) {
    do items.push(parseJsonValue(cursor))
    while (takeSpaced(cursor, COMMA))
    close(cursor, CLOSE_BRACKET, '`]`')
  }
  cursor.nesting -= 1
  return { kind: 'list', form: 'json', items }
}

/** `{"name":value,…}`, whose values may be any expressions. @see OData ABNF, `object` */
export function parseJsonObject(cursor: Cursor): ObjectExpression {
  const members: NamedExpression[] = []
  if (!opensEmpty(cursor, CLOSE_BRACE)) {
    do members.push(parseMember(cursor))
    while (takeSpaced(cursor, COMMA))
    close(cursor, CLOSE_BRACE, '`}`')
  }
  cursor.nesting -= 1
  return { kind: 'object', members }
}

function opensEmpty(cursor: Cursor, closing: number): boolean {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  return take(cursor, closing)
}

function close(cursor: Cursor, closing: number, name: string): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== closing) failAfterOperand(cursor, ['`,`', name])
  cursor.position = position + 1
}

function parseMember(cursor: Cursor): NamedExpression {
  if (cursor.text.charCodeAt(cursor.position) !== DOUBLE_QUOTE) {
    fail(cursor, cursor.position, ['the name of a member in double quotes'])
  }
  const name = parseJsonString(cursor)
  if (!takeSpaced(cursor, COLON)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['`:`'])
  return { name, value: parseJsonValue(cursor) }
}

function parseJsonValue(cursor: Cursor): Expression {
  return cursor.text.charCodeAt(cursor.position) === DOUBLE_QUOTE
    ? { kind: 'literal', type: 'String', value: parseJsonString(cursor) }
    : parseExpression(cursor)
}
