import { type Expression, printFilter } from '../../../runtime/query/index.js'
import { type Site, shareOf } from '../../discover/site.js'
import { filterWithoutMatch } from '../../lists/certain-filters.js'
import { predict } from '../../oracle/predict.js'
import { filterFeatures } from '../../probes/check-prediction.js'
import { type Grammar, grammarOf } from '../../probes/grammar.js'
import { planFilters } from '../../probes/plan.js'
import { filterRequest, rejectedFilterVerdict } from '../../probes/query-keys.js'
import { constructsOf } from '../../rule/query-request.js'
import { describeResponse } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** Compares `/$count` with a filter with the oracle's evaluation over the harvested rows. */
export const filterCountPath: ActiveRule = {
  kind: 'active',
  id: 'filter-count-path',
  area: 'filter',
  statement: 'The filtered count of a collection equals the number of rows that match the filter.',
  advice: 'Use the same filter translation, with the same null logic, for the count and for the list.',
  aspects: ['count.path'],
  covers: ['endpoint.count', 'filter'],
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  cost: 1,
  weight: 4,
  sites: session =>
    session.sites.filter(
      site => site.endpoint.kind === 'count' && listOf(site, session) !== undefined && grammarOf(site, session),
    ),
  cases: (site, session) => {
    const list = listOf(site, session)
    const grammar = grammarOf(site, session)
    const snapshot = list && session.snapshot(list)
    if (list === undefined || grammar === undefined || snapshot?.complete !== true) {
      return { skipReason: 'a collection that can be read completely' }
    }
    const filters = planFilters(list, session).filter(({ filter }) => isDeclared(filter, grammar))
    const planned = filters.slice(0, 12).map(({ filter }) => ({ options: { filter } }))
    const none = filterWithoutMatch(grammar, snapshot.rows)
    return {
      planned:
        none === undefined ? planned : [...planned.slice(0, 1), { options: { filter: none } }, ...planned.slice(1)],
    }
  },
  check: async ({ options }, site, session) => {
    const list = listOf(site, session)
    const snapshot = list && session.snapshot(list)
    const filter = options?.filter
    if (filter === undefined || options === undefined) return { kind: 'pass', vacuous: true }
    if (snapshot?.complete !== true) return { kind: 'inconclusive', why: 'the collection could not be read completely' }
    if (!session.support.maySend(site, constructsOf(options)))
      return { kind: 'unsupported', constructs: constructsOf(options) }
    const response = await session.send(filterRequest(site, options))
    if (response.transportError !== undefined || response.status >= 400)
      return rejectedFilterVerdict(response, options, site, session)
    const count = /^\s*\d{1,15}\s*$/.test(response.text.replace(/^\uFEFF/, ''))
      ? Number(response.text.replace(/^\uFEFF/, ''))
      : undefined
    const { must, may } = predict(filter, snapshot, session)
    const expected = must.size === may.size ? String(must.size) : `${must.size} to ${may.size}`
    // Another rule finds a service that returns something other than a number for every count.
    if (count === undefined && response.text !== '')
      return { kind: 'inconclusive', why: `the count is not a number: ${describeResponse(response)}` }
    if (count === undefined) {
      return failure({
        message: 'The count with a filter is not a number.',
        expected: `status 200 and the number ${expected}`,
        received: describeResponse(response),
        answers: [response],
        features: ['countPath', 'type'],
      })
    }
    if (count >= must.size && count <= may.size) {
      const trivial = must.size === 0 && may.size === snapshot.rows.length
      return { kind: 'pass', vacuous: trivial, selected: [shareOf(count, snapshot)] }
    }
    return failure({
      message: 'The count with a filter is not the number of rows that match it.',
      expected,
      received: `${count} for ${printFilter(filter)}`,
      why: [`without a filter, the collection has ${snapshot.rows.length} rows`],
      answers: [response],
      features: ['countPath', ...(count === snapshot.rows.length ? ['ignored'] : filterFeatures(filter, [], snapshot))],
    })
  },
}

/** The list that a count endpoint counts. */
function listOf(site: Site, session: Session): Site | undefined {
  const path = site.path.replace(/\/(?:\$|%24)count$/i, '')
  return session.sites.find(({ endpoint, path: each }) => endpoint.kind === 'collection' && each === path)
}

/** Whether the count endpoint supports everything that a filter of the list uses. */
function isDeclared(filter: Expression, { has }: Grammar): boolean {
  const used = constructsOf({ filter }).filter(construct => construct.startsWith('filter.'))
  return used.every(construct => has(construct.slice('filter.'.length)))
}
