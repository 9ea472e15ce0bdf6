import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { preferencesRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of preferences', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, {})
      expect(await accusationsOf(preferencesRules, bench, { sites: 2, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, {})
        for (const id of await tellingRules(preferencesRules, bench)) told.add(id)
      }
      expect(preferencesRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['preference-ignored-on-lists', 'preference-honoured', 'directory'],
    ['preference-ignored-on-items', 'preference-honoured', 'directory'],
    ['preference-claimed', 'preference-honoured', 'directory'],
    ['preference-hides-values', 'preference-honoured', 'directory'],
    ['preference-clears', 'preference-honoured', 'directory'],
    ['preference-turned-round', 'preference-honoured', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant, choices: { defaultProjection: 'all' } })
      const rule = preferencesRules.find(each => each.id === id)
      const asking = preferencesRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each(['preferences-ignored', 'defaultProjection-limited', 'awkward-keys'])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant })
      expect(await accusationsOf(preferencesRules, bench, { sites: 2, cases: 4 })).toEqual([])
    },
    patience,
  )
})
