import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { advancedQueriesRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of advanced queries', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, {})
      expect(await accusationsOf(advancedQueriesRules, bench, { sites: 3, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, {})
        for (const id of await tellingRules(advancedQueriesRules, bench)) told.add(id)
      }
      expect(advancedQueriesRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['contains-without-header', 'header-required', 'directory'],
    ['any-without-header', 'header-required', 'directory'],
    ['search-without-header', 'header-required', 'directory'],
    ['header-never-needed', 'header-required', 'directory'],
    ['header-not-seen', 'header-suffices', 'directory'],
    ['advanced-error-says-nothing', 'header-required', 'directory'],
    ['plain-list-needs-header', 'plain-needs-none', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant })
      const rule = advancedQueriesRules.find(each => each.id === id)
      const asking = advancedQueriesRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each([
    'other-legal-statuses',
    'more-needs-the-header',
    'no-filter',
    'no-search',
    'no-lambdas-or-contains',
    'countWithoutHeader-rejected',
    'countPathWithoutHeader-answered',
  ])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant })
      expect(await accusationsOf(advancedQueriesRules, bench, { sites: 3, cases: 4 })).toEqual([])
    },
    patience,
  )
})
