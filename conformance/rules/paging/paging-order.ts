import type { QueryOptions } from '../../../runtime/query/index.js'
import { permittedValues } from '../../choices/choices.js'
import { orderbyItem } from '../../lists/properties.js'
import { duplicates, incompleteListVerdict, queryText, visibleKeys } from '../../lists/read-rows.js'
import {
  listSites,
  mayBeTruncated,
  pagedFirst,
  pagingOptions,
  type QuerySite,
  querySite,
} from '../../lists/related-items.js'
import { findOrderViolation, sortKeysOf, sortValues } from '../../lists/sort-order.js'
import { type Sortable, sortablesOf } from '../../lists/sortable.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

const maxPages = 60

/** @see OData Protocol 4.01, 11.2.6.2 and 11.2.6.7 */
export const pagingOrder: ActiveRule = {
  kind: 'active',
  id: 'paging-order',
  area: 'paging',
  statement:
    'An ordered list stays in order across all its pages and contains each item once, including nulls and ties.',
  advice:
    'To continue after the last item, use the same keys, directions and null position as for sorting, and use the key of the item to break ties. A plain `key > last` loses nulls and is wrong for `desc`.',
  aspects: ['paging.nextLink', 'orderby.keys'],
  covers: ['nextLink', 'orderby'],
  severity: 'must',
  writes: false,
  requiredOptions: ['orderby'],
  cost: 3,
  weight: 18,
  sites: session =>
    pagedFirst(
      listSites(session, query => query.orderby.support !== 'none'),
      session,
    ),
  cases: (site, session) => {
    const found = querySite(site)
    const base = found === undefined ? undefined : pagingOptions(found, session, 3)
    if (found === undefined || base === undefined) return { skipReason: 'a list with more than one page' }
    const sortables = sortablesOf(found, session)
    if (sortables.length === 0) return { skipReason: 'a sortable property with different values' }
    const tied = sortables.filter(({ nulls }) => nulls > 0).sort((a, b) => b.tied - a.tied)
    const chosen = [...new Set([...tied.slice(0, 1), ...sortables])].slice(0, 4)
    const planned = chosen.flatMap(({ leaf }, index) => {
      const directions = index % 2 === 0 ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const)
      return directions.map(direction => ({ options: { orderby: [orderbyItem(leaf.path, direction)], ...base } }))
    })
    const halves = [0, 1].flatMap(half => planned.filter((_, index) => index % 2 === half))
    return { planned: [...halves.slice(0, 1), ...behindNull(tied[0], found, session, base), ...halves.slice(1)] }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const keys = sortKeysOf(options, site.type)
    if (found === undefined || keys === undefined)
      return { kind: 'inconclusive', why: 'the order has keys that are not properties' }
    const constructs = constructsOf(options)
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const listing = await session.list(readRequest(site, options), { pages: maxPages })
    const broken = incompleteListVerdict(listing, options, found, session)
    if (broken !== undefined) return broken
    const { pages, rows, end } = listing
    const snapshot = session.snapshot(site)
    const answers = pages.slice(0, 4)
    const lengths = pages.map(page => pageOf(page)?.rows.length ?? 0)
    const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0))
    const values = rows.map(row => sortValues(row, keys, snapshot))
    const isSorted = (from: number, length: number): boolean =>
      findOrderViolation(values.slice(from, from + length), keys, session) === undefined
    // If the first page is not in order, the fault is in sorting, not in paging.
    if (!isSorted(0, lengths[0] ?? 0)) return { kind: 'inconclusive', why: 'the first page is not in order' }
    const text = queryText(options)
    const nulls = keys.some((_, index) => values.some(each => each[index] === null)) ? ['null'] : []
    const wrong = findOrderViolation(values, keys, session)
    if (wrong !== undefined) {
      const page = starts.findLastIndex(start => start <= wrong.after)
      return failure({
        message: `Across pages, the items of ${text} are not in order.`,
        expected: `no item of page ${page + 1} sorts before an item of an earlier page`,
        received: `${shown(values[wrong.before])} comes before ${shown(values[wrong.after])}`,
        answers: [...pages.slice(Math.max(0, page - 1), page + 1)],
        features: ['nextLink', `orderby.${wrong.key.direction}`],
      })
    }
    const shownKeys = visibleKeys(rows, site.type)
    if (shownKeys === undefined) return { kind: 'pass', vacuous: pages.length < 2 }
    const twice = duplicates(shownKeys)
    const isWhole = end === 'complete' && snapshot?.complete === true && !mayBeTruncated(rows.length, options, session)
    const present = new Set(shownKeys)
    const missing = isWhole ? [...snapshot.byKey.keys()].filter(key => !present.has(key)) : []
    if (twice.length === 0 && missing.length === 0) return { kind: 'pass', vacuous: pages.length < 2 }
    return failure({
      message: `The pages of ${text} do not contain each item once.`,
      expected: 'each item of the list once',
      received: `${missing.length} items are missing, ${twice.length} are repeated`,
      missing,
      surplus: twice,
      answers,
      features: ['nextLink', 'orderby', ...(nulls.length > 0 && missing.length > 0 ? nulls : [])],
    })
  },
}

/** A page size for which the second page starts after a null: links that encode the last value break there. */
function behindNull(
  sortable: Sortable | undefined,
  site: QuerySite,
  session: Session,
  { top: size }: QueryOptions,
): readonly TestCase[] {
  const length = session.snapshot(site)?.rows.length ?? 0
  if (sortable === undefined || size === undefined || sortable.nulls < 2) return []
  const top = length - sortable.nulls + 1
  if (top > (site.endpoint.query.top.max ?? top)) return []
  const direction = permittedValues(session, 'nullOrder', 'lowest').isOnly('highest') ? 'asc' : 'desc'
  return [{ options: { orderby: [orderbyItem(sortable.leaf.path, direction)], top } }]
}

function shown(values: readonly unknown[] | undefined): string {
  return (values ?? []).map(value => JSON.stringify(value) ?? 'nothing').join(', ')
}
