import type { QueryOptions } from '../ast.js'
import { evaluateFilter } from '../evaluate/evaluate.js'
import { jsonValue } from '../evaluate/json-value.js'
import { orderRows } from '../evaluate/order.js'
import { matchesSearch } from '../evaluate/search.js'
import type { ApplyOptions } from './apply-query.js'

/**
 * The items that `$search` and `$filter` keep, in the order of `$orderby`: all of them, whole, as they were given.
 *
 * @throws {EvaluationError} when an expression has no value for one of the items
 */
export function matchingItems<T>(items: readonly T[], query: QueryOptions, options: ApplyOptions): readonly T[] {
  const { search, filter, orderby } = query
  const settings: ApplyOptions = { ...options, aliases: query.aliases ?? options.aliases }
  const isWanted = (item: T): boolean => {
    if (search !== undefined) {
      const value = jsonValue(item, settings.type, settings.types)
      if (!matchesSearch(search, value, settings.searchProperties)) return false
    }
    return filter === undefined || evaluateFilter(filter, item, settings)
  }
  const found = items.filter(isWanted)
  return orderby === undefined ? found : orderRows(found, orderby, settings)
}
