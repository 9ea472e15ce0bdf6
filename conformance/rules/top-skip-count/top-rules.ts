import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { permittedValues } from '../../choices/choices.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { queryText, readRows, visibleKeys } from '../../lists/read-rows.js'
import { listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import { predict } from '../../oracle/predict.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'
import { checkSlice, orderingsToSlice } from './slice.js'

/** @see OData Protocol 4.01, 11.2.6.3 */
export const topFirst: ActiveRule = {
  kind: 'active',
  id: 'top-first',
  area: 'top-skip-count',
  statement: 'A request with both $top and $orderby returns the first $top items in that order.',
  advice: 'Sort before you cut the page. Otherwise the page is sorted but contains the wrong items.',
  aspects: ['top.ordered', 'top.maximum'],
  covers: ['top', 'orderby'],
  severity: 'must',
  writes: false,
  requiredOptions: ['top', 'orderby'],
  cost: 1,
  weight: 4,
  sites: session => listSites(session, ({ top, orderby }) => top.support !== 'none' && orderby.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const length = session.snapshot(site)?.rows.length ?? 0
    const orders = found === undefined ? [] : orderingsToSlice(found, session)
    if (orders.length === 0 || length < 3) return { skipReason: 'at least three items with different sort values' }
    const most = Math.max(1, Math.min(length - 1, (found?.endpoint.query.top.max ?? length) - 1, 50))
    const plain = orders.map((orderby, index) => ({ orderby, top: Math.max(1, Math.min(most, 5 - index)) }))
    const planned = plain.map((options, index) => ({
      options: index === 1 ? filtered(options, found, session) : options,
    }))
    return {
      planned: [
        ...planned.slice(0, 1),
        ...orders.slice(0, 1).map(orderby => ({ variant: allPages, options: { orderby, top: most } })),
        ...planned.slice(1),
      ],
      random: fc
        .tuple(fc.constantFrom(...orders), fc.integer({ min: 1, max: most }))
        .map(([orderby, top]) => ({ options: { orderby, top } })),
    }
  },
  check: async ({ variant, options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    if (variant === allPages) return checkAllPages(options, found, session)
    return checkSlice(options, found, session, ['top', 'orderby'])
  },
}

const allPages = 'all pages'

/** If $top is the most items of the whole result, its pages together have no more. */
async function checkAllPages(options: QueryOptions, site: QuerySite, session: Session): Promise<Verdict> {
  const { top = 0 } = options
  if (!permittedValues(session, 'topMeaning', 'total').isOnly('total')) return { kind: 'pass', vacuous: true }
  const reading = await readRows(site, session, options, { pages: mostPages })
  if (reading.kind === 'ended') return reading.verdict
  const { rows, pages } = reading.listing
  if (rows.length <= top) return { kind: 'pass', vacuous: pages.length < 2 }
  const text = queryText(options)
  return failure({
    message: `The pages of ${text} have more than ${top} items. On one page, the service takes $top for the most items of the result.`,
    expected: `at most ${top} items`,
    received: `${rows.length} items on ${pages.length} pages`,
    answers: pages.slice(-2),
    features: ['top', 'paging.next'],
  })
}

const mostPages = 20

/** The same with a filter that excludes some items, if there is one: services often apply several options in different code. */
function filtered(plain: QueryOptions, site: QuerySite | undefined, session: Session): QueryOptions {
  const [certain] = site === undefined ? [] : certainFilters(site, session)
  if (certain === undefined || certain.rows < 3) return plain
  return { ...plain, filter: certain.filter, top: Math.min(plain.top ?? 1, certain.rows - 1) }
}

/** @see OData Protocol 4.01, 11.2.6.3 */
export const topRespected: PassiveRule = {
  kind: 'passive',
  id: 'top-respected',
  area: 'top-skip-count',
  statement: 'A page never has more than $top items.',
  advice: '$top is the most that the client can handle. Limit the page in the query on the server.',
  aspects: ['top.maximum'],
  covers: ['top'],
  severity: 'must',
  inspect: (response, site) => {
    const top = response.testRequest.options?.top
    if (top === undefined || site?.endpoint.kind !== 'collection') return undefined
    const page = pageOf(response)
    if (page === undefined) return undefined
    if (page.rows.length <= top) return 'seen'
    return {
      message: `A page for $top=${top} has more than ${top} items.`,
      expected: `at most ${top} items`,
      received: `${page.rows.length} items`,
      answers: [response],
      features: ['top', 'page'],
    }
  },
}

/** @see OData Protocol 4.01, 11.2.6 */
export const topFiltered: ActiveRule = {
  kind: 'active',
  id: 'top-filtered',
  area: 'top-skip-count',
  statement: '$top applies after $filter: a page is short only if no more items match or a next link follows.',
  advice: 'If you cut the page before you filter, it contains too few matching items or none, and clients stop there.',
  aspects: ['top.maximum'],
  covers: ['top', 'filter'],
  severity: 'must',
  writes: false,
  requiredOptions: ['top', 'filter'],
  cost: 1,
  weight: 2,
  sites: session => listSites(session, ({ top, filter }) => top.support !== 'none' && filter.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const plain = found === undefined ? [] : certainFilters(found, session)
    if (plain.length === 0) return { skipReason: 'rows that a comparison splits' }
    const most = Math.min(20, found?.endpoint.query.top.max ?? 20)
    return {
      planned: plain
        .slice(0, 3)
        .map(({ filter, rows }) => ({ options: { filter, top: Math.min(most, Math.ceil((rows * 2) / 3)) } })),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    const { filter, top } = options
    if (found === undefined || snapshot?.complete !== true || filter === undefined || top === undefined) {
      return { kind: 'pass', vacuous: true }
    }
    const reading = await readRows(found, session, options, { pages: 1 })
    if (reading.kind === 'ended') return reading.verdict
    const { must, may } = predict(filter, snapshot, session)
    const answers = reading.listing.pages
    const page = answers[0] === undefined ? undefined : pageOf(answers[0])
    const length = page?.rows.length ?? 0
    const keys = visibleKeys(page?.rows ?? [], site.type) ?? []
    const surplus = keys.filter(key => snapshot.byKey.has(key) && !may.has(key))
    const due = Math.min(top, must.size)
    if (surplus.length === 0 && (page?.nextLink !== undefined || length >= due)) {
      return { kind: 'pass', vacuous: due === 0 }
    }
    const text = queryText(options)
    return failure({
      message:
        surplus.length > 0
          ? `${text} returns items that do not match $filter.`
          : `${text} returns fewer items than match, and no next link.`,
      expected: `${due} items that match $filter, or a next link`,
      received: `${length} items without a next link`,
      surplus,
      answers,
      features: ['top', 'filter'],
    })
  },
}
