import type { Expression, PathSegment } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { type Environment, forItem } from './environment.js'
import { evaluateExpression } from './expression.js'
import { matchesSearch } from './search.js'
import { truthOf } from './truth.js'
import { type CollectionValue, describeValue, integer, type Value } from './value.js'

/** The items for which the predicate is true. */
export function filterSegment(
  value: Exclude<Value, null>,
  predicate: Expression,
  environment: Environment,
): CollectionValue {
  const items = collectionOf(value, '$filter').items.filter(
    item => truthOf(evaluateExpression(predicate, forItem(environment, item)), '$filter') === true,
  )
  return { kind: 'collection', items }
}

/** How many items there are, or match filter and search. */
export function countSegment(
  value: Exclude<Value, null>,
  { filter, search }: Extract<PathSegment, { readonly kind: 'count' }>,
  environment: Environment,
): Value {
  const collection = collectionOf(value, '$count')
  const { items } = filter === undefined ? collection : filterSegment(collection, filter, environment)
  return integer(search === undefined ? items.length : items.filter(item => matchesSearch(search, item)).length)
}

function collectionOf(value: Exclude<Value, null>, segment: string): CollectionValue {
  if (typeof value !== 'boolean' && value.kind === 'collection') return value
  throw new EvaluationError(`\`${segment}\` needs a collection, not ${describeValue(value)}.`)
}
