import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { protocolRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of protocol', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, {})
      expect(await accusationsOf(protocolRules, bench, { sites: 2, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, {})
        for (const id of await tellingRules(protocolRules, bench)) told.add(id)
      }
      expect(protocolRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['json-as-html', 'json-content-type', 'directory'],
    ['head-has-another-status', 'head-and-options', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant })
      const rule = protocolRules.find(each => each.id === id)
      const asking = protocolRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each(['other-content-type', 'pretty-json', 'no-head-or-options', 'throttled'])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant })
      expect(await accusationsOf(protocolRules, bench, { sites: 2, cases: 4 })).toEqual([])
    },
    patience,
  )
})
