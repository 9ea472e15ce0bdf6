import type { Expression } from '../ast.js'
import { printExpression } from './expression.js'
import { printAtTop } from './place.js'

/**
 * A `$filter`, or any other common expression, as text that is not percent-encoded: `parseFilter` reads the same tree back.
 *
 * Operators and functions are in lower case. Parentheses stand where the grammar needs them, and also where services are
 * known to disagree: around the operand of `not`, around `and` within `or`, around mixed arithmetic.
 *
 * @throws {PrintError} when no text stands for the tree
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export function printFilter(expression: Expression): string {
  return printAtTop(place => printExpression(expression, place))
}
