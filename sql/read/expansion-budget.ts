import type { QueryOptions } from '../../runtime/query/index.js'
import type { EntityType, NavigationProperty } from '../../spec/language/index.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { type ResponseLimits, responseLimits } from './page-bytes.js'
import type { StoredItem } from './stored-item.js'

/** A collection in a response, to which `$expand` adds related items. */
export interface ExpandedCollection {
  /** The item that it belongs to. */
  readonly item: StoredItem
  readonly relation: NavigationProperty
  /** Where the options of the collection are in the query: the index in `$expand`, then in the `$expand` inside, and so on. */
  readonly place: readonly number[]
  /** How often `$levels` expands the relation again inside the collection. */
  readonly levels: number
}

/**
 * The URL where a collection goes on. Undefined: there is none, so that the query is refused.
 *
 * @param after the sort keys of the last item in the response; undefined: the response has no item of the collection
 * @param left the number of items that remain of its `$top`; undefined: all
 */
export type ExpansionLink = (
  collection: ExpandedCollection,
  after: readonly unknown[] | undefined,
  left: number | undefined,
) => string | undefined

/** What the expansions of one response may still add to it. */
export interface ExpansionBudget {
  items: number
  /** Those of the items that collections leave to the single items inside them, which cannot go on elsewhere. */
  reserved: number
  bytes: number
  /** The bytes of the links to where collections go on. */
  linkBytes: number
  readonly limits: ResponseLimits
  /** Undefined: collections cannot go on elsewhere. */
  readonly linkOf: ExpansionLink | undefined
}

/**
 * @param items the items of the page
 * @param singles the single items that each of them can add
 */
export function expansionBudget(
  { table }: QueryTarget,
  linkOf: ExpansionLink | undefined,
  items: number,
  singles: number,
): ExpansionBudget {
  const limits = responseLimits(table)
  const { expandedItems, responseBytes } = limits
  const reserved = linkOf === undefined ? 0 : Math.min(expandedItems, items * singles)
  return { items: expandedItems, reserved, bytes: responseBytes, linkBytes: responseBytes, limits, linkOf }
}

/** Reports that the items of a response exceed a limit. */
export function exceedsLimit(limit: keyof ResponseLimits, { limits }: ExpansionBudget): Error {
  const what = limit === 'expandedItems' ? 'items' : 'bytes'
  const reason =
    `It adds more ${what} to the response than the limit ${limit}, which is ${limits[limit]}. Request a smaller page with ` +
    "'$top', or fewer related items."
  return unsupportedQuery('$expand', reason)
}

/**
 * The most single items that the relations of an item add to it, at any depth, apart from those inside collections.
 *
 * @param depth the meaning of `$levels=max`
 */
export function singlesPerItem({ expand = [] }: QueryOptions, type: EntityType, depth: number): number {
  let sum = 0
  for (const { path, options = {} } of expand) {
    const name = path.filter(each => !each.includes('.')).at(-1)
    const { levels = 1, ...nested } = options
    const times = levels === 'max' ? depth : levels
    for (const relation of type.navigation) {
      if (relation.collection || (name !== '*' && relation.name !== name)) continue
      sum += times * (1 + singlesPerItem(nested, relation.type, depth - 1))
    }
  }
  return sum
}
