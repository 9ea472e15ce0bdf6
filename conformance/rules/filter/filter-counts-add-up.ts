import fc from 'fast-check'
import { type Expression, printFilter, type QueryOptions } from '../../../runtime/query/index.js'
import { type Site, shareOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { countOf } from '../../lists/read-rows.js'
import { conditionsOf } from '../../probes/conditions.js'
import { binary } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { filterRequest, filterSites, rejectedFilterVerdict } from '../../probes/query-keys.js'
import { constructsOf } from '../../rule/query-request.js'
import { describeResponse } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

const planned = 4

/** Inclusion-exclusion by counts: four small responses, however large the collection is. */
export const filterCountsAddUp: ActiveRule = {
  kind: 'active',
  id: 'filter-counts-add-up',
  area: 'filter',
  statement: 'The counts of `P or Q` and `P and Q` add up to the counts of `P` and `Q`.',
  advice: 'Look at how you combine conditions, and check that the count uses the same filter as the list.',
  aspects: ['filter.logical'],
  covers: ['filter.and', 'filter.or', 'count'],
  severity: 'must',
  writes: false,
  cost: 4,
  weight: 1,
  sites: session =>
    filterSites(session).filter(site => {
      const has = grammarOf(site, session)?.has
      return countsRows(site) && has?.('and') === true && has('or')
    }),
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const grammar = grammarOf(site, session)
    const atoms = snapshot === undefined || grammar === undefined ? [] : conditionsOf(grammar, snapshot, session)
    if (atoms.length < 2) return { skipReason: 'different values in filterable properties' }
    const drawn = fc
      .shuffledSubarray([...atoms], { minLength: 2, maxLength: 2 })
      .map(pair => ({ predicates: pair.map(({ filter }) => filter) }))
    return { planned: fc.sample(drawn, { seed: 1, numRuns: planned }), random: drawn }
  },
  queries: ({ predicates: [p, q] = [] }) =>
    p === undefined || q === undefined
      ? []
      : [p, q, binary('and', p, q), binary('or', p, q)].map(filter => ({ filter })),
  check: async ({ predicates: [p, q] = [] }, site, session) => {
    if (p === undefined || q === undefined) return { kind: 'pass', vacuous: true }
    const snapshot = session.snapshot(site)
    if (snapshot === undefined) return { kind: 'inconclusive', why: 'the collection could not be read' }
    const counts: number[] = []
    const answers: TestResponse[] = []
    // An incomplete snapshot does not reveal concurrent changes, so the first count is requested again.
    const again = snapshot.complete ? [] : [p]
    for (const filter of [p, q, binary('and', p, q), binary('or', p, q), ...again]) {
      const options = counting(filter, site)
      const constructs = constructsOf(options)
      if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
      const response = await session.send(filterRequest(site, options))
      if (response.transportError !== undefined || response.status >= 400)
        return rejectedFilterVerdict(response, options, site, session)
      const count = countOf(response)
      if (typeof count !== 'number') return { kind: 'inconclusive', why: `no count: ${describeResponse(response)}` }
      counts.push(count)
      answers.push(response)
    }
    const [ofP = 0, ofQ = 0, ofBoth = 0, ofEither = 0, ofPAgain = ofP] = counts
    if (ofPAgain !== ofP) return { kind: 'inconclusive', why: 'the data changed in the meantime' }
    if (ofP + ofQ === ofBoth + ofEither) {
      // The size of a partly read collection is not known.
      const selected = snapshot.complete ? counts.map(count => shareOf(count, snapshot)) : []
      return { kind: 'pass', vacuous: ofP === 0 || ofQ === 0, selected }
    }
    return failure({
      message: 'The counts of two filters do not add up to the counts of the filters combined with `and` and `or`.',
      expected: `n(P or Q) = n(P) + n(Q) - n(P and Q) = ${ofP} + ${ofQ} - ${ofBoth} = ${ofP + ofQ - ofBoth}`,
      received: `n(P or Q) = ${ofEither}, where P is ${printFilter(p)} and Q is ${printFilter(q)}`,
      answers,
      features: ['count', 'filter-counts-add-up'],
    })
  },
}

function countsRows({ endpoint }: Site): boolean {
  return 'query' in endpoint && endpoint.query !== undefined && endpoint.query.count !== 'none'
}

function counting(filter: Expression, { endpoint }: Site): QueryOptions {
  const hasTop = 'query' in endpoint && endpoint.query !== undefined && endpoint.query.top.support !== 'none'
  return { filter, count: true, ...(hasTop ? { top: 1 } : {}) }
}
