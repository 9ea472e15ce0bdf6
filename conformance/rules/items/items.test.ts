import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { itemsRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of items', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, {})
      expect(await accusationsOf(itemsRules, bench, { sites: 5, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, {})
        for (const id of await tellingRules(itemsRules, bench)) told.add(id)
      }
      expect(itemsRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['item-of-another', 'item-of-list', 'directory'],
    ['item-lacks-a-property', 'item-of-list', 'directory'],
    ['key-cut-at-a-dash', 'item-of-list', 'directory'],
    ['relation-of-all', 'related-once', 'directory'],
    ['names-in-capitals', 'property-names', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant, choices: { defaultProjection: 'all' } })
      const rule = itemsRules.find(each => each.id === id)
      const asking = itemsRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each([
    'awkward-keys',
    'defaultProjection-limited',
    'absentRelation-204',
    'absentRelation-null',
    'no-single-relation',
    'more-properties',
    'nulls-left-out',
    'timestamps-with-offset',
  ])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant })
      expect(await accusationsOf(itemsRules, bench, { sites: 3, cases: 4 })).toEqual([])
    },
    patience,
  )
})
