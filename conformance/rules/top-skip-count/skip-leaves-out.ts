import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { queryText, readRows, visibleKeys } from '../../lists/read-rows.js'
import { listSites, onePageOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import { predict } from '../../oracle/predict.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'
import { checkSlice, orderingsToSlice } from './slice.js'

/** @see OData Protocol 4.01, 11.2.6.4 */
export const skipLeavesOut: ActiveRule = {
  kind: 'active',
  id: 'skip-leaves-out',
  area: 'top-skip-count',
  statement: '$skip omits that many items from the start of the list, and $top counts from there.',
  advice:
    'Common causes: $skip is read only together with another option, or it is applied before sorting or filtering, or after $top. Beyond the end, the list is empty.',
  aspects: ['skip.items'],
  covers: ['skip', 'top', 'orderby'],
  severity: 'must',
  writes: false,
  requiredOptions: ['skip'],
  cost: 1,
  weight: 10,
  sites: session => listSites(session, ({ skip }) => skip !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const length = session.snapshot(site)?.rows.length ?? 0
    if (found === undefined || length < 3) return { skipReason: 'a list of at least three items' }
    const { top } = found.endpoint.query
    const page = onePageOptions(found, session)
    const orders = orderingsToSlice(found, session)
    const third = Math.max(1, Math.floor(length / 3))
    const most = Math.min(5, top.max ?? 5)
    const some: QueryOptions = top.support === 'none' ? {} : { top: Math.max(1, Math.min(third, 4, most)) }
    const planned: readonly QueryOptions[] = [
      ...orders.slice(0, 1).map(orderby => ({ orderby, skip: third, ...some })),
      { skip: length - Math.max(1, Math.min(third, 3)), ...page },
      ...orders.slice(0, 2).map(orderby => ({ orderby, skip: length - Math.max(1, Math.min(third, 3)) })),
      { skip: length + 1000 },
      ...orders.slice(1).map(orderby => ({ orderby, skip: third, ...some })),
      ...filteredSlices(found, orders[0], session),
    ]
    const drawn = fc.integer({ min: 1, max: length - 1 })
    return {
      planned: planned.map(options => ({ options })),
      ...(orders.length === 0
        ? {}
        : {
            random: fc
              .tuple(fc.constantFrom(...orders), drawn, fc.integer({ min: 1, max: most }))
              .map(([orderby, skip, size]) => ({
                options: { orderby, skip, ...(top.support === 'none' ? {} : { top: size }) },
              })),
          }),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    if (options.skip === undefined) return { kind: 'pass', vacuous: true }
    const verdict =
      options.orderby === undefined
        ? await checkUnordered(options, found, session)
        : await checkSlice(options, found, session, ['skip'])
    if (verdict.kind !== 'unsupported' || options.filter === undefined) return verdict
    return { kind: 'inconclusive', why: 'the service does not combine $skip and $filter' }
  },
}

/** Slices of what a filter leaves: with and without `$top`, and with an order. */
function filteredSlices(site: QuerySite, orderby: QueryOptions['orderby'], session: Session): readonly QueryOptions[] {
  const { top } = site.endpoint.query
  return certainFilters(site, session)
    .filter(({ rows }) => rows > 1)
    .slice(0, 2)
    .flatMap(({ filter, rows }) => {
      const skip = Math.ceil(rows / 2)
      const some = top.support === 'none' ? {} : { top: Math.max(1, Math.min(rows - skip, top.max ?? rows)) }
      return [
        { filter, skip },
        { filter, skip, ...some },
        ...(orderby === undefined ? [] : [{ filter, orderby, skip }]),
      ]
    })
}

/** Without an order it is open which items `$skip` omits, but not how many. */
async function checkUnordered(options: QueryOptions, site: QuerySite, session: Session): Promise<Verdict> {
  const snapshot = session.snapshot(site)
  if (snapshot?.complete !== true) return { kind: 'inconclusive', why: 'the list could not be read completely' }
  const { skip = 0, top, filter } = options
  const reading = await readRows(site, session, options)
  if (reading.kind === 'ended') {
    const isBeyond = skip > snapshot.rows.length && filter === undefined
    const refusal =
      isBeyond && session.support.isSupported(site, 'skip') ? await session.send(readRequest(site, options)) : undefined
    // An endpoint without $skip, or with a limit on it, has another error than that for a resource that does not exist.
    if (refusal?.status !== 404) return reading.verdict
    return failure({
      message: `Beyond the end of the list, ${queryText(options)} gets status 404.`,
      expected: 'an empty page: the list exists',
      received: describeResponse(refusal),
      answers: [refusal],
      features: ['skip', 'beyond'],
    })
  }
  const { rows, pages, end } = reading.listing
  const predicted = filter && predict(filter, snapshot, session)
  if (predicted !== undefined && predicted.must.size !== predicted.may.size) {
    return { kind: 'inconclusive', why: 'the result of the filter is not certain' }
  }
  const matching = predicted?.must ?? new Set(snapshot.byKey.keys())
  const left = Math.max(0, matching.size - skip)
  const cut = top === undefined ? left : Math.min(left, top)
  const text = queryText(options)
  const features = filter === undefined ? ['skip'] : ['skip', 'filter']
  const finding = { answers: pages.slice(0, 2), features }
  const last = pages[0] === undefined ? undefined : pageOf(pages[0])
  if (left === 0 && last?.nextLink !== undefined) {
    return failure({
      message: `Beyond the end of the list, ${text} has a next link.`,
      expected: 'an empty page without @odata.nextLink',
      received: `${last.rows.length} items and @odata.nextLink`,
      ...finding,
    })
  }
  const isRight = rows.length === left || rows.length === cut
  if (end !== 'complete' || isRight) {
    const surplus = (visibleKeys(rows, site.type) ?? []).filter(key => !matching.has(key))
    if (surplus.length === 0) return { kind: 'pass', vacuous: end !== 'complete' || matching.size === 0 }
    return failure({
      message: `${text} returns items that ${filter === undefined ? 'are not in the list' : 'do not match $filter'}.`,
      expected: filter === undefined ? 'items of the list' : 'items that match $filter',
      received: `${surplus.length} others`,
      surplus,
      ...finding,
    })
  }
  return failure({
    message: `${text} does not skip ${skip} of ${matching.size} items.`,
    expected: left === cut ? `${left} items` : `${left} items, or ${cut}`,
    received: `${rows.length} items`,
    ...finding,
  })
}
