import type { Expression } from '../ast.js'
import { Cursor } from './cursor.js'
import { requireEndOfExpression } from './end.js'
import { parseExpression } from './expression.js'

/**
 * The tree of a `$filter`, or of any other common expression, written as in a URL but percent-decoded.
 *
 * Operators, functions and `any`/`all` may be in any letter case; names and variables are told apart by case. Whether the
 * names exist, the types fit or a service supports the construct is not asked here.
 *
 * @param text the value of the option: `startswith(displayName,'A') and accountEnabled eq true`
 * @throws {QuerySyntaxError} when the text breaks the grammar or nests deeper than `maxNesting`
 * @see OData 4.01 URL Conventions, 5.1.2, and the OData ABNF, `commonExpr`
 */
export function parseFilter(text: string): Expression {
  const cursor = new Cursor(text, '$filter')
  const expression = parseExpression(cursor)
  requireEndOfExpression(cursor)
  return expression
}
