import { printFilter } from '../../../runtime/query/index.js'
import { atomsOf } from '../../query/atoms-of.js'
import { binary } from '../../query/build.js'
import { filterFeatures } from '../../query/filter-finding.js'
import { filterSites } from '../../query/filter-sites.js'
import { filtered } from '../../query/filtered.js'
import { grammarOf } from '../../query/grammar.js'
import { keyFilter } from '../../query/key-filter.js'
import { planFilters } from '../../query/plan.js'
import type { Rule } from '../../rule/rule.js'
import { truthOn } from '../../semantics/evaluate.js'
import { explain } from '../../semantics/explain.js'
import { subjectOf } from '../../semantics/predict.js'
import { isTrue } from '../../semantics/truth.js'
import { shareOf } from '../../site/share-of.js'

/** Filters narrowed to one row: one small answer, however large the collection is. */
export const filterPivot: Rule = {
  kind: 'asking',
  id: 'filter-pivot',
  area: 'filter',
  statement: 'A filter narrowed by the key of one row gives that row if it meets the filter, and else none.',
  advice:
    'Look at how the filter is evaluated on the row that is shown; the same filter may go another way when it is narrowed.',
  clauses: ['filter.comparison', 'filter.logical'],
  covers: ['filter'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 1,
  sites: session => filterSites(session).filter(site => session.snapshot(site)?.complete !== true),
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const grammar = grammarOf(site, session)
    if (snapshot === undefined || grammar === undefined || !grammar.has('and'))
      return { thin: 'rows that could be read' }
    if (atomsOf(grammar, snapshot, session).length === 0) return { thin: 'values that a filter can be made of' }
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
      return { kind: 'inconclusive', why: 'the row is not there any more, or has no key that a filter may read' }
    }
    const answer = await filtered(site, session, { filter: binary('and', condition, filter) })
    if (answer.kind === 'ended') return answer.verdict
    const truth = truthOn(filter, subjectOf(snapshot, session))(row)
    const isThere = answer.keys.has(key)
    const others = [...answer.keys].filter(each => each !== key)
    const isRight = others.length === 0 && (isThere ? (truth & isTrue) !== 0 : truth !== isTrue)
    if (isRight) return { kind: 'pass', selected: [shareOf(answer.keys.size, snapshot)] }
    return {
      kind: 'fail',
      finding: {
        message: isThere ? 'A filter gave a row that does not meet it.' : 'A filter left out a row that meets it.',
        expected: `the row ${key} ${truth === isTrue ? 'and no other' : 'not to be there'}`,
        received: `${answer.keys.size} rows for ${printFilter(filter)}`,
        missing: isThere ? [] : [key],
        surplus: isThere ? [...others, key] : others,
        why: explain(filter, row, snapshot, session),
        answers: answer.answers,
        features: filterFeatures(filter, [key], snapshot),
      },
    }
  },
}
