import { certainFilters } from '../../lists/certain-filters.js'
import { queryText, readRows, visibleKeys } from '../../lists/read-rows.js'
import { listSites, querySite } from '../../lists/related-items.js'
import { predict } from '../../oracle/predict.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf } from '../../session/session.js'

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
