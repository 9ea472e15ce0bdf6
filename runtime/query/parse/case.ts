import type { Expression, FunctionCall } from '../ast.js'
import { COLON, COMMA } from '../lexical/characters.js'
import { closeParenthesis } from './close-parenthesis.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { enter } from './nesting.js'
import { failAfterOperand } from './operators.js'
import { skipWhitespace, takeSpaced } from './punctuation.js'

/** `(condition:result,…)` behind the name `case`. @see OData 4.01 URL Conventions, 5.1.1.12.1 */
export function parseCase(cursor: Cursor): FunctionCall {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const values: Expression[] = []
  do {
    values.push(parseExpression(cursor))
    if (!takeSpaced(cursor, COLON)) failAfterOperand(cursor, ['`:`'])
    values.push(parseExpression(cursor))
  } while (takeSpaced(cursor, COMMA))
  closeParenthesis(cursor, ['`,`'])
  cursor.nesting -= 1
  return { kind: 'call', function: 'case', arguments: values }
}
