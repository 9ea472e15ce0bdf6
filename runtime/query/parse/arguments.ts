import type { Expression, KeyValue, NamedExpression } from '../ast.js'
import { CLOSE, COMMA, EQUALS } from '../lexical/characters.js'
import { identifierEnd } from '../lexical/identifier.js'
import { closeParenthesis } from './close-parenthesis.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { takeIdentifier } from './identifier.js'
import { enter } from './nesting.js'
import { skipWhitespace, take, takeSpaced } from './punctuation.js'

/**
 * What stands in the parentheses behind the name of an item or of a service-defined function. `(a=1)` may be either a key
 * or arguments by name: it is reported as a key, since a key is all literals.
 */
export type Arguments =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly values: readonly KeyValue[] }
  | { readonly kind: 'byName'; readonly parameters: readonly NamedExpression[] }
  | { readonly kind: 'byPosition'; readonly values: readonly Expression[] }

/** Reads parentheses from `(` on. @see OData ABNF, `keyPredicate`, `functionExprParameters` */
export function parseArguments(cursor: Cursor): Arguments {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const given = takeArguments(cursor)
  cursor.nesting -= 1
  return given
}

function takeArguments(cursor: Cursor): Arguments {
  if (take(cursor, CLOSE)) return { kind: 'none' }
  if (startsName(cursor)) return takeArgumentsByName(cursor)
  const values = [parseExpression(cursor)]
  while (takeSpaced(cursor, COMMA)) values.push(parseExpression(cursor))
  closeParenthesis(cursor, ['`,`'])
  const [only] = values
  if (only !== undefined && values.length === 1 && isKeyValue(only)) return { kind: 'key', values: [{ value: only }] }
  return { kind: 'byPosition', values }
}

function takeArgumentsByName(cursor: Cursor): Arguments {
  const parameters: NamedExpression[] = []
  const keys: KeyValue[] = []
  do {
    const name = takeIdentifier(cursor, 'the name of a parameter or key property')
    if (!take(cursor, EQUALS)) fail(cursor, cursor.position, ['`=`'])
    const value = parseExpression(cursor)
    parameters.push({ name, value })
    if (isKeyValue(value)) keys.push({ name, value })
  } while (takeSpaced(cursor, COMMA))
  closeParenthesis(cursor, ['`,`'])
  return keys.length === parameters.length ? { kind: 'key', values: keys } : { kind: 'byName', parameters }
}

function startsName(cursor: Cursor): boolean {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  return end > position && text.charCodeAt(end) === EQUALS
}

function isKeyValue(value: Expression): value is KeyValue['value'] {
  return value.kind === 'alias' || value.kind === 'literal'
}
