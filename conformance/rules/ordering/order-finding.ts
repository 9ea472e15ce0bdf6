import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Disorder } from '../../reading/disorder.js'
import { queryText } from '../../reading/query-text.js'
import type { SortKey } from '../../reading/sort-key.js'
import type { Finding } from '../../rule/verdict.js'

/** What an order that does not hold has to do with: nulls, the direction, a second key, or how values of a type sort. */
export function orderFinding(
  options: QueryOptions,
  keys: readonly SortKey[],
  values: readonly (readonly unknown[])[],
  { before, after, key }: Disorder,
): Omit<Finding, 'answers'> {
  const index = keys.indexOf(key)
  const [left, right] = [values[before], values[after]]
  const isNull = left?.[index] === null || right?.[index] === null
  const name = key.leaf.path.join('/')
  const place = index === 0 ? '' : `, among items that are the same in ${keys[0]?.leaf.path.join('/')}`
  return {
    message: `The items of ${queryText(options)} are not in that order.`,
    expected: `${name} ${key.direction === 'asc' ? 'ascending' : 'descending'}${place}`,
    received: `item ${before + 1} has ${text(left?.[index])}, item ${after + 1} has ${text(right?.[index])}`,
    // A direction that is lost moves nulls, too, and what a later key orders.
    ...(key.direction === 'desc' && (isNull || index > 0)
      ? { explanations: [index > 0 ? 'orderby.keys' : 'orderby.null', 'orderby.desc'] }
      : {}),
    features: [...featuresOf(key, index, isNull), ...(options.filter === undefined ? [] : ['filter'])],
  }
}

function featuresOf({ direction, leaf }: SortKey, index: number, isNull: boolean): readonly string[] {
  if (index > 0) return ['orderby.keys']
  if (isNull) return ['orderby', 'null']
  return direction === 'desc' ? ['orderby.desc'] : ['orderby.asc', `type.${leaf.typeName.replace('Edm.', '')}`]
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
