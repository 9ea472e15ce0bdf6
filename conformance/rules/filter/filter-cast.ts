import { castConditions } from '../../probes/cast-conditions.js'
import { checkPrediction } from '../../probes/check-prediction.js'
import { grammarOf } from '../../probes/grammar.js'
import { filterSites, pagedFilter } from '../../probes/query-keys.js'
import type { ActiveRule } from '../../rule/rule.js'

/** Conditions on what only derived types have, compared with the oracle's evaluation over the harvested rows. */
export const filterCast: ActiveRule = {
  kind: 'active',
  id: 'filter-cast',
  area: 'filter',
  statement:
    'A path with a type cast in a filter is the value of the items of that type, and null for all other items.',
  advice:
    'Do not read a column of the derived type without a check of the type. A cast of an item of another type is null, not an error.',
  aspects: ['filter.comparison', 'filter.null'],
  covers: ['filter'],
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  // Queries with casts belong to this rule: filter-model would explain less.
  queries: () => [],
  cost: 1,
  weight: 6,
  sites: session => filterSites(session).filter(site => castConditions(site, session).length > 0),
  cases: (site, session) => ({
    planned: castConditions(site, session).map(filter => ({ options: pagedFilter(filter, site, session) })),
    ...(grammarOf(site, session) === undefined ? { skipReason: 'the collection could not be read' } : {}),
  }),
  check: async (test, site, session) => {
    const agreement = await checkPrediction(test.options, site, session)
    if (agreement.kind === 'ended') return agreement.verdict
    const { must, may } = agreement.prediction
    const trivial = may.size === agreement.rows || must.size === agreement.rows
    return { kind: 'pass', vacuous: trivial, selected: [agreement.selected] }
  },
}
