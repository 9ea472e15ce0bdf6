import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { authenticationRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of authentication', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, {})
      expect(await accusationsOf(authenticationRules, bench, { sites: 20, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, {})
        for (const id of await tellingRules(authenticationRules, bench)) told.add(id)
      }
      expect(authenticationRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['no-credential-passes', 'authentication-required', 'directory'],
    ['wrong-credential-passes', 'authentication-required', 'directory'],
    ['credential-unchecked-on-items', 'authentication-required', 'directory'],
    ['credential-unchecked-on-counts', 'authentication-required', 'directory'],
    ['credential-unchecked-on-delta', 'authentication-required', 'directory'],
    ['credential-unchecked-on-calls', 'authentication-required', 'directory'],
    ['credential-unchecked-below-items', 'authentication-required', 'directory'],
    ['credential-refused-with-403', 'authentication-required', 'directory'],
    ['credential-refused-with-400', 'authentication-required', 'directory'],
    ['credential-refused-with-a-page', 'authentication-required', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant })
      const rule = authenticationRules.find(each => each.id === id)
      const asking = authenticationRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each(['other-error-codes', 'awkward-keys', 'throttled'])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant })
      expect(await accusationsOf(authenticationRules, bench, { sites: 3, cases: 4 })).toEqual([])
    },
    patience,
  )
})
