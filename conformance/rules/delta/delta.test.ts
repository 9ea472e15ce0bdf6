import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { deltaRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of delta', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, { writes: true })
      expect(await accusationsOf(deltaRules, bench, { sites: 1, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, { writes: true })
        for (const id of await tellingRules(deltaRules, bench)) told.add(id)
      }
      expect(deltaRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['delta-first-round-short', 'delta-initial', 'directory'],
    ['delta-without-link', 'delta-links', 'directory'],
    ['delta-both-links', 'delta-links', 'directory'],
    ['delta-link-refused', 'delta-initial', 'directory'],
    ['delta-rows-without-key', 'delta-initial', 'directory'],
    ['delta-misses-deletes', 'delta-changes', 'library'],
    ['delta-misses-creates', 'delta-changes', 'library'],
    ['delta-misses-changes', 'delta-changes', 'library'],
    ['delta-tells-old-values', 'delta-changes', 'library'],
    ['delta-select-ignored', 'delta-initial', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant, writes: true, choices: { readYourWrites: 'immediate' } })
      const rule = deltaRules.find(each => each.id === id)
      const asking = deltaRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each([
    'delta-tells-all-again',
    'no-optional-endpoints',
    'small-pages',
    'defaultProjection-limited',
    'timestamps-with-zeros',
  ])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant, writes: true })
      expect(await accusationsOf(deltaRules, bench, { sites: 1, cases: 4 })).toEqual([])
    },
    patience,
  )
})
