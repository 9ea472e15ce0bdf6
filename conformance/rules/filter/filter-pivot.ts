import { printFilter } from '../../../runtime/query/index.js'
import { shareOf } from '../../discover/site.js'
import { truthOn } from '../../oracle/evaluate.js'
import { explain } from '../../oracle/explain.js'
import { evaluationContextOf } from '../../oracle/predict.js'
import { isTrue } from '../../oracle/truth-set.js'
import { filterFeatures } from '../../probes/check-prediction.js'
import { conditionsOf } from '../../probes/conditions.js'
import { binary } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { planFilters } from '../../probes/plan.js'
import { filterSites, keyFilter, queryKeys } from '../../probes/query-keys.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

/** Pivoted query synthesis: a filter that selects one row. The response is small, however large the collection is. */
export const filterPivot: ActiveRule = {
  kind: 'active',
  id: 'filter-pivot',
  area: 'filter',
  statement:
    'A filter combined with the key of one row returns that row if the row matches the filter, and nothing otherwise.',
  advice:
    'Look at how the filter is evaluated for the reported row. The service may use another code path or query plan for the combined filter.',
  aspects: ['filter.comparison', 'filter.logical'],
  covers: ['filter'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 1,
  sites: session => filterSites(session).filter(site => session.snapshot(site)?.complete !== true),
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const grammar = grammarOf(site, session)
    if (snapshot === undefined || grammar === undefined || !grammar.has('and')) return { skipReason: 'readable rows' }
    if (conditionsOf(grammar, snapshot, session).length === 0) return { skipReason: 'values for a filter' }
    const keys = [...snapshot.byKey.keys()]
    const filters = planFilters(site, session)
    const cases = filters.flatMap(({ filter }, index) => {
      const key = keys[(index * 7) % Math.max(1, keys.length)]
      return key === undefined ? [] : [{ predicates: [filter], key }]
    })
    return { planned: cases }
  },
  check: async ({ predicates: [filter] = [], key }, site, session) => {
    const snapshot = session.snapshot(site)
    const row = key === undefined ? undefined : snapshot?.byKey.get(key)
    const condition = row && keyFilter(row, site, session)
    if (
      filter === undefined ||
      key === undefined ||
      snapshot === undefined ||
      row === undefined ||
      condition === undefined
    ) {
      return { kind: 'inconclusive', why: 'the row no longer exists, or has no filterable key' }
    }
    const response = await queryKeys(site, session, { filter: binary('and', condition, filter) })
    if (response.kind === 'ended') return response.verdict
    const truth = truthOn(filter, evaluationContextOf(snapshot, session))(row)
    const isThere = response.keys.has(key)
    const others = [...response.keys].filter(each => each !== key)
    const isRight = others.length === 0 && (isThere ? (truth & isTrue) !== 0 : truth !== isTrue)
    if (isRight) return { kind: 'pass', selected: [shareOf(response.keys.size, snapshot)] }
    return failure({
      message: isThere ? 'A filter returned a row that does not match it.' : 'A filter omitted a row that matches it.',
      expected: `${truth === isTrue ? `only the row ${key}` : `no row ${key}`}`,
      received: `${response.keys.size} rows for ${printFilter(filter)}`,
      missing: isThere ? [] : [key],
      surplus: isThere ? [...others, key] : others,
      why: explain(filter, row, snapshot, session),
      answers: response.answers,
      features: filterFeatures(filter, [key], snapshot),
    })
  },
}
