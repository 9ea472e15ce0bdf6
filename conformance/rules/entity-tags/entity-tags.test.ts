import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { entityTagsRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of entity tags', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, { writes: true })
      expect(await accusationsOf(entityTagsRules, bench, { sites: 2, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, { writes: true })
        for (const id of await tellingRules(entityTagsRules, bench)) told.add(id)
      }
      expect(entityTagsRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['stale-change-accepted', 'if-match', 'directory'],
    ['stale-delete-accepted', 'if-match', 'directory'],
    ['current-tag-refused', 'if-match', 'directory'],
    ['refused-and-changed', 'if-match', 'directory'],
    ['tag-never-changes', 'if-match', 'directory'],
    ['star-refused', 'if-match', 'directory'],
    ['unconditional-change-accepted', 'if-match', 'library'],
    ['always-304', 'if-none-match', 'directory'],
    ['read-refused-for-tag', 'if-none-match', 'directory'],
    ['tag-changes-with-each-read', 'if-none-match', 'directory'],
    ['tag-in-body-differs', 'entity-tag-agrees', 'directory'],
    ['tag-without-quotes', 'entity-tag-agrees', 'directory'],
    ['tag-of-list-differs', 'entity-tag-of-list', 'directory'],
    ['star-refused', 'if-match', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant, writes: true, choices: { readYourWrites: 'immediate' } })
      const rule = entityTagsRules.find(each => each.id === id)
      const asking = entityTagsRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each([
    'entityTag-strong',
    'entityTag-none',
    'tags-in-headers-only',
    'tags-in-bodies-only',
    'long-tags',
    'updateStatus-204',
    'lists-lag',
  ])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant, writes: true })
      expect(await accusationsOf(entityTagsRules, bench, { sites: 2, cases: 4 })).toEqual([])
    },
    patience,
  )
})
