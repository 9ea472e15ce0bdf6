import type { Site } from '../../discover/site.js'
import { predict } from '../../oracle/predict.js'
import { grammarOf } from '../../probes/grammar.js'
import { planFilters } from '../../probes/plan.js'
import { filterSites } from '../../probes/query-keys.js'
import type { ActiveRule } from '../../rule/rule.js'
import { filterModel } from './filter-model.js'

const { prerequisite: _ofAllFilters, ...model } = filterModel

/** Filters whose result has several pages. */
export const filterScope: ActiveRule = {
  ...model,
  id: 'filter-scope',
  statement: 'A filter applies to every page, not only to the first one.',
  advice:
    'Look at what the next link contains: it must carry the filter, or a token for state that includes the filter.',
  aspects: ['paging.nextLink'],
  covers: ['filter', 'top'],
  cost: 3,
  weight: 2,
  sites: session =>
    filterSites(session).filter(
      ({ endpoint }) => endpoint.kind === 'collection' && endpoint.query?.top.support !== 'none',
    ),
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const grammar = grammarOf(site, session)
    if (snapshot === undefined || grammar === undefined) return { skipReason: 'the collection could not be read' }
    const pageSize = session.choices.get('topMeaning') === 'pageSize' ? undefined : defaultPageOf(site)
    const cases = planFilters(site, session).flatMap(({ filter }) => {
      const { must, may } = predict(filter, snapshot, session)
      const distinguishes = must.size >= 4 && may.size <= snapshot.rows.length * 0.7 && must.size > (pageSize ?? 0)
      const top = pageSize === undefined ? { top: Math.min(Math.ceil(must.size / 3), mostOf(site)) } : {}
      return distinguishes ? [{ options: { filter, ...top }, variant: 'planned' }] : []
    })
    return cases.length === 0
      ? { skipReason: 'a filter that matches more rows than a page holds, and not most of the rows' }
      : { planned: cases.slice(0, 4) }
  },
}

/** The maximum of `$top`. */
function mostOf({ endpoint }: Site): number {
  return (endpoint.kind === 'collection' ? endpoint.query?.top.max : undefined) ?? Number.POSITIVE_INFINITY
}

/** The default page size. */
function defaultPageOf({ endpoint }: Site): number {
  return (endpoint.kind === 'collection' ? endpoint.query?.top.default : undefined) ?? 100
}
