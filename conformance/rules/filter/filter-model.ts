import type { Expression } from '../../../runtime/query/index.js'
import type { Site } from '../../discover/site.js'
import {
  borderFilters,
  cornerCaseFilter,
  equalToBeginnings,
  equalToEncoded,
  plainLambdas,
  specialFilters,
} from '../../lists/certain-filters.js'
import { integerFunctions, stringFunctions } from '../../oracle/functions.js'
import { predict } from '../../oracle/predict.js'
import { checkPrediction } from '../../probes/check-prediction.js'
import { conditionsOf } from '../../probes/conditions.js'
import { grammarOf } from '../../probes/grammar.js'
import { filterArbitrary, planChains, planFilters, undetectableBugs } from '../../probes/plan.js'
import { filterSites, pagedFilter } from '../../probes/query-keys.js'
import type { ActiveRule } from '../../rule/rule.js'

/** The filters before chains of conditions: each of them detects more faults. */
const filtersFirst = 8
/**
 * Where to insert the filter with beginnings of values, the one with encoded letters, the one with corner cases, those with
 * borders, those with a plain lambda, and the special ones, and how many others come between them.
 */
const beginningsAt = 5
const encodedAt = 9
const cornerCasesAt = 12
const bordersAt = 11
const lambdasAt = 16
const firstSpecialAt = 10
const filtersPerBorders = 2
const filtersPerLambda = 3
const filtersPerSpecial = 4

/**
 * Compares filters with the oracle's evaluation over the harvested rows: the most distinguishing ones first, then random
 * ones.
 */
export const filterModel: ActiveRule = {
  kind: 'active',
  id: 'filter-model',
  area: 'filter',
  statement: 'A filter returns all rows that match it, and no others.',
  advice:
    'Clients rely on filters to decide what to show, change and delete. Look at how you translate the expression: precedence, null, letter case, escaping and the types of literals.',
  aspects: [
    'filter.comparison',
    'filter.logical',
    'filter.functions',
    'filter.lambda',
    'filter.literals',
    'filter.null',
  ],
  covers: [
    'filter',
    ...['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'and', 'or', 'not', 'in', 'has', 'any', 'all'].map(
      name => `filter.${name}`,
    ),
    ...['add', 'sub', 'mul', 'div', 'divby', 'mod', 'negate'].map(name => `filter.${name}`),
    ...['contains', 'startswith', 'endswith', ...stringFunctions, ...integerFunctions, 'indexof'].map(
      name => `filter.${name}`,
    ),
    ...['concat', 'substring', 'year', 'month', 'day', 'hour', 'minute', 'second', 'date', 'time'].map(
      name => `filter.${name}`,
    ),
    ...['fractionalseconds', 'totalseconds', 'now', 'round', 'floor', 'ceiling', '$count'].map(
      name => `filter.${name}`,
    ),
  ],
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  cost: 1,
  weight: 46,
  sites: filterSites,
  cases: (site, session) => {
    const grammar = grammarOf(site, session)
    const snapshot = session.snapshot(site)
    if (grammar === undefined || snapshot === undefined) return { skipReason: 'the collection could not be read' }
    const atoms = conditionsOf(grammar, snapshot, session)
    if (snapshot.rows.length < 2 || atoms.length === 0) return { skipReason: 'at least two rows with different values' }
    const beginnings = equalToBeginnings(grammar, snapshot.rows)
    const encoded = equalToEncoded(grammar, snapshot.rows)
    const planned = alternate(
      planFilters(site, session).map(({ filter }) => filter),
      planChains(site, grammar, session),
    )
    if (beginnings !== undefined) planned.splice(beginningsAt, 0, beginnings)
    if (encoded !== undefined) planned.splice(encodedAt, 0, encoded)
    // Lists below items usually share the code of other lists.
    if (site.endpoint.keys.length === 0) {
      for (const [index, special] of specialFilters(grammar, snapshot.rows).entries()) {
        planned.splice(firstSpecialAt + filtersPerSpecial * index, 0, special)
      }
      const cornerCases = cornerCaseFilter(grammar, snapshot.rows)
      if (cornerCases !== undefined) planned.splice(cornerCasesAt, 0, cornerCases)
      for (const [index, borders] of borderFilters(grammar, snapshot.rows).entries()) {
        planned.splice(bordersAt + filtersPerBorders * index, 0, borders)
      }
      for (const [index, lambda] of plainLambdas(grammar, snapshot.rows, session).entries()) {
        planned.splice(lambdasAt + filtersPerLambda * index, 0, lambda)
      }
    }
    return {
      planned: planned.map(filter => ({ options: pagedFilter(filter, site, session), variant: 'planned' })),
      get undetectableBugs() {
        return undetectableBugs(session)
      },
      random: filterArbitrary(atoms, grammar).map(filter => ({ options: pagedFilter(filter, site, session) })),
    }
  },
  prerequisite: ({ filter }, site, session) =>
    filter === undefined ? undefined : { options: pagedFilter(filter, site, session) },
  check: async (test, site, session) => {
    const agreement = await checkPrediction(test.options, site, session)
    if (agreement.kind === 'ended') return agreement.verdict
    const { must, may } = agreement.prediction
    const isUniform = may.size === 0 || must.size === agreement.rows
    const isOpen = must.size === 0 && may.size === agreement.rows
    const trivial = isOpen || (isUniform && test.variant !== 'planned')
    return { kind: 'pass', vacuous: trivial, selected: [agreement.selected] }
  },
}

/** Each filter before a chain of conditions detects other bug models. */
const filtersPerChain = 2

/** The filters that detect most bug models, then the others in turn with chains of conditions. */
function alternate(filters: readonly Expression[], chains: readonly Expression[]): Expression[] {
  const others = filters.slice(filtersFirst)
  const turns = Math.max(Math.ceil(others.length / filtersPerChain), chains.length)
  return [
    ...filters.slice(0, filtersFirst),
    ...Array.from({ length: turns }, (_, turn) => [
      ...others.slice(turn * filtersPerChain, (turn + 1) * filtersPerChain),
      ...chains.slice(turn, turn + 1),
    ]).flat(),
  ]
}

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
