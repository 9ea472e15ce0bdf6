import type { LambdaExpression } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import { evaluatePath } from './path.js'
import { truthOf } from './truth.js'
import { describeValue, type Value } from './value.js'

/**
 * `any`: whether the predicate is true for an item; `all`: whether it is true for every item. Never null: an item for which
 * the predicate is unknown is one for which it is not true, and a collection that is not there has no items.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.13
 */
export function evaluateLambda(expression: LambdaExpression, environment: Environment): boolean {
  const { operator, variable, predicate } = expression
  const items = lambdaItems(evaluatePath(expression.collection, environment))
  if (variable === undefined || predicate === undefined) return items.length > 0
  const holds = (value: Value): boolean => {
    const bindings = { name: variable, value, outer: environment.bindings }
    return truthOf(evaluateExpression(predicate, { ...environment, bindings }), operator) === true
  }
  return operator === 'any' ? items.some(holds) : items.every(holds)
}

function lambdaItems(collection: Value): readonly Value[] {
  if (collection === null) return []
  if (typeof collection !== 'boolean' && collection.kind === 'collection') return collection.items
  throw new EvaluationError(`\`any\` and \`all\` need a collection, not ${describeValue(collection)}.`)
}
