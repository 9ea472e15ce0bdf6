import type { QueryOptions } from '../ast.js'
import type { EvaluationOptions } from '../evaluate/environment.js'
import { evaluate } from '../evaluate/evaluate.js'
import { matchingItems } from './matching-items.js'
import { shapeItem } from './shape-item.js'

/** An item of a collection, as JSON. */
export type Item = Readonly<Record<string, unknown>>

/** What an array needs besides the options to be queried like a collection. */
export interface ApplyOptions extends EvaluationOptions {
  /** The properties that `$search` looks into; all strings of an item when absent. */
  readonly searchProperties?: readonly string[] | undefined
}

export interface QueryResult {
  /** The items of the page, shaped by `$select` and `$expand`. */
  readonly value: readonly Item[]
  /** How many items there are before `$skip` and `$top`. */
  readonly count: number
}

/**
 * Applies query options to an array of items, in the order that the standard gives: compute, search, filter, count, order,
 * skip, top, and then the shape. Meant for examples, tests and small collections: every item is looked at.
 *
 * `$search` finds whole words, as `matchesSearch` says. Relations are members of the items, each a nested item or array;
 * with a table of types they are left out unless expanded, and so are properties returned only when selected. Control
 * information, `@odata.etag`, always stays.
 *
 * @throws {EvaluationError} when an expression has no value for one of the items
 * @see OData 4.01 Protocol, 11.2.1
 */
export function applyQuery(items: readonly Item[], query: QueryOptions, options: ApplyOptions = {}): QueryResult {
  const settings: ApplyOptions = { ...options, aliases: query.aliases ?? options.aliases }
  const found = matchingItems(withComputed(items, query, settings), query, settings)
  const skip = query.skip ?? 0
  const page = found.slice(skip, query.top === undefined ? undefined : skip + query.top)
  return { value: page.map(item => shapeItem(item, query, settings)), count: found.length }
}

function withComputed(items: readonly Item[], { compute }: QueryOptions, settings: ApplyOptions): readonly Item[] {
  if (compute === undefined) return items
  return items.map(item => {
    const computed = compute.map(({ expression, alias }) => [alias, evaluate(expression, item, settings)])
    return { ...item, ...Object.fromEntries(computed) }
  })
}
