import type { LambdaExpression } from '../../../../runtime/query/index.js'
import type { Truth, Value } from '../value/value.js'

/** `any` is true when the predicate is for one item, `all` when it is for each. @see OData URL Conventions 4.01, 5.1.1.13 */
export function lambda(node: LambdaExpression, items: readonly Value[], test: (item: Value) => Truth): Truth {
  const truths = items.map(test)
  const decisive = node.operator === 'any'
  if (truths.includes(decisive)) return decisive
  return truths.includes(null) ? null : !decisive
}
