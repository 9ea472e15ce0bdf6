import type { QueryOptions } from '../ast.js'
import { evaluateFilter } from '../evaluate/evaluate.js'
import { jsonValue } from '../evaluate/json-value.js'
import { orderRows } from '../evaluate/order.js'
import { matchesSearch } from '../evaluate/search.js'
import type { ApplyOptions } from './apply-query.js'

/** The items of one page, whole and as they were given, with the count of all that match. */
export interface FoundItems<T> {
  readonly value: readonly T[]
  /** How many items match, before `$skip` and `$top`. */
  readonly count: number
}

/**
 * Finds items of an array: search, filter, order, skip, top. Every item is looked at; none is shaped, so that a handler
 * can return them typed as they are and leave `$select` to the server core.
 *
 * @throws {EvaluationError} when an expression has no value for one of the items
 * @see OData 4.01 Protocol, 11.2.1
 */
export function findItems<T extends object>(
  items: readonly T[],
  query: QueryOptions,
  options: ApplyOptions = {},
): FoundItems<T> {
  const settings: ApplyOptions = { ...options, aliases: query.aliases ?? options.aliases }
  const found = items.filter(item => isWanted(item, query, settings))
  const ordered = query.orderby === undefined ? found : orderRows(found, query.orderby, settings)
  const skip = query.skip ?? 0
  return { value: ordered.slice(skip, query.top === undefined ? undefined : skip + query.top), count: found.length }
}

function isWanted(item: object, { search, filter }: QueryOptions, settings: ApplyOptions): boolean {
  if (search !== undefined) {
    const value = jsonValue(item, settings.type, settings.types)
    if (!matchesSearch(search, value, settings.searchProperties)) return false
  }
  return filter === undefined || evaluateFilter(filter, item, settings)
}
