import type { LambdaExpression, PathExpression } from '../ast.js'
import { CASE_BIT, CLOSE, COLON, LOWER_A, OPEN } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import { closeParenthesis } from './close-parenthesis.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { takeIdentifier } from './identifier.js'
import { enter } from './nesting.js'
import { skipWhitespace, take, takeSpaced } from './punctuation.js'

/** The lambda operator that begins here: `any` or `all`, in any letter case, directly before `(`. */
export function peekLambdaOperator(cursor: Cursor): 'any' | 'all' | undefined {
  const { text, position } = cursor
  if ((text.charCodeAt(position) | CASE_BIT) !== LOWER_A || text.charCodeAt(position + 3) !== OPEN) return undefined
  const word = text.slice(position, position + 3).toLowerCase()
  return word === 'any' || word === 'all' ? word : undefined
}

/** `any(variable:predicate)` or `all(…)` behind its collection; `any()` too. @see OData ABNF, `anyExpr`, `allExpr` */
export function parseLambda(cursor: Cursor, operator: 'any' | 'all', collection: PathExpression): LambdaExpression {
  enter(cursor)
  cursor.position += operator.length + 1
  skipWhitespace(cursor)
  if (operator === 'any' && take(cursor, CLOSE)) {
    cursor.nesting -= 1
    return { kind: 'lambda', operator, collection }
  }
  const variable = takeIdentifier(cursor, operator === 'any' ? 'a variable or `)`' : 'a variable')
  if (!takeSpaced(cursor, COLON))
    fail(
      cursor,
      whitespaceEnd(cursor.text, cursor.position),
      ['`:`'],
      'A lambda is written `items/any(x:x/name eq 1)`.',
    )
  const outer = cursor.scope
  cursor.scope = { variable, outer }
  const predicate = parseExpression(cursor)
  cursor.scope = outer
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return { kind: 'lambda', operator, collection, variable, predicate }
}
