import type { Expression, FunctionCall } from '../ast.js'
import { CLOSE, COMMA } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import type { Arity } from './canonical-functions.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { enter } from './nesting.js'
import { failAfterOperand } from './operators.js'
import { skipWhitespace, takeSpaced } from './punctuation.js'

/** The arguments of a canonical function whose name was just read. @see OData ABNF, `methodCallExpr` */
export function parseCanonicalCall(cursor: Cursor, name: string, arity: Arity): FunctionCall {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const values: Expression[] = []
  while (values.length < arity.most && (values.length < arity.least || !closes(cursor))) {
    if (values.length > 0) takeSeparator(cursor, name, arity)
    if (closes(cursor)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['an argument'], takes(name, arity))
    values.push(parseExpression(cursor))
  }
  closeCall(cursor, name, arity)
  cursor.nesting -= 1
  return { kind: 'call', function: name, arguments: values }
}

function closes(cursor: Cursor): boolean {
  return cursor.text.charCodeAt(whitespaceEnd(cursor.text, cursor.position)) === CLOSE
}

function takeSeparator(cursor: Cursor, name: string, arity: Arity): void {
  if (takeSpaced(cursor, COMMA)) return
  if (closes(cursor)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['`,`'], takes(name, arity))
  failAfterOperand(cursor, ['`,`'])
}

function closeCall(cursor: Cursor, name: string, arity: Arity): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  const code = cursor.text.charCodeAt(position)
  if (code === COMMA || (code !== CLOSE && arity.most === 0)) fail(cursor, position, ['`)`'], takes(name, arity))
  if (code !== CLOSE) failAfterOperand(cursor, ['`)`'])
  cursor.position = position + 1
}

function takes(name: string, { least, most }: Arity): string {
  const count =
    most === 0 ? 'no arguments' : most === 1 ? '1 argument' : `${least === most ? '' : `${least} or `}${most} arguments`
  return `\`${name}\` takes ${count}.`
}
