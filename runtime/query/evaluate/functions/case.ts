import type { Expression } from '../../ast.js'
import type { Environment } from '../environment.js'
import { evaluateExpression } from '../expression.js'
import { truthOf } from '../truth.js'
import type { Value } from '../value.js'

/** The result behind the first condition that is true, or null. @see OData 4.01 URL Conventions, 5.1.1.12.1 */
export function caseFunction(expressions: readonly Expression[], environment: Environment): Value {
  for (let index = 0; index + 1 < expressions.length; index += 2) {
    const condition = expressions[index]
    const result = expressions[index + 1]
    if (condition === undefined || result === undefined) return null
    if (truthOf(evaluateExpression(condition, environment), 'case') === true)
      return evaluateExpression(result, environment)
  }
  return null
}
