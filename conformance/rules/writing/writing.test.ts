import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { writingRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of writing', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, { writes: true })
      expect(await accusationsOf(writingRules, bench, { sites: 2, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, { writes: true })
        for (const id of await tellingRules(writingRules, bench)) told.add(id)
      }
      expect(writingRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['patch-replaces', 'patch-keeps', 'directory'],
    ['patch-without-effect', 'patch-keeps', 'directory'],
    ['patch-of-first-only', 'patch-keeps', 'directory'],
    ['patch-ignores-null', 'patch-keeps', 'directory'],
    ['patch-answers-old', 'patch-keeps', 'directory'],
    ['patch-appends', 'patch-keeps', 'directory'],
    ['patch-reaches-neighbour', 'life-cycle', 'directory'],
    ['create-loses-a-value', 'create-keeps', 'directory'],
    ['create-answers-without-key', 'create-keeps', 'directory'],
    ['create-not-kept', 'create-keeps', 'directory'],
    ['create-escapes', 'create-keeps', 'directory'],
    ['create-mangles-unicode', 'create-keeps', 'directory'],
    ['create-ignores-nested', 'create-keeps', 'directory'],
    ['create-trims', 'create-keeps', 'directory'],
    ['delete-without-effect', 'delete-removes', 'directory'],
    ['deleted-stays-in-lists', 'write-shows', 'directory'],
    ['delete-of-unknown-succeeds', 'write-not-found', 'directory'],
    ['patch-of-unknown-succeeds', 'write-not-found', 'directory'],
    ['invalid-body-accepted', 'unfit-body', 'directory'],
    ['put-merges', 'replace-sets', 'library'],
    ['duplicate-key-accepted', 'duplicate-key', 'library'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, {
        mutant,
        writes: true,
        choices: { readYourWrites: 'immediate', trailingSpaces: 'distinct' },
      })
      const rule = writingRules.find(each => each.id === id)
      const asking = writingRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each([
    'createStatus-200',
    'createStatus-202',
    'updateStatus-204',
    'deleteStatus-200',
    'deleteStatus-202',
    'defaultProjection-limited',
    'no-location',
    'lists-lag',
    'awkward-keys',
    'trailingSpaces-folded',
  ])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant, writes: true })
      expect(await accusationsOf(writingRules, bench, { sites: 2, cases: 4 })).toEqual([])
    },
    patience,
  )
})
