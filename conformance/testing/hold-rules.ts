import { describe, expect, it } from 'vitest'
import type { Rule, Watch } from '../rule/rule.js'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from './rule-bench.js'

/** What the rules of an area must find, and whom they must not accuse. */
export interface Held {
  readonly area: string
  readonly rules: readonly (Rule | Watch)[]
  readonly writes?: boolean
  /** Sites that each rule is tried at on a correct service, and on one that chose otherwise. */
  readonly sites: { readonly correct: number; readonly variants: number }
  /** What was learned before a mutant is looked at. */
  readonly choices?: Readonly<Record<string, string>>
  readonly mutants: readonly (readonly [mutant: string, rule: string, spec: SpecName])[]
  /** Correct services that chose otherwise, of the Directory. */
  readonly variants: readonly string[]
}

const specs: readonly SpecName[] = ['directory', 'library']
/** Milliseconds: a service is made and read for each test. */
const timeout = 30_000

/** Tests that the rules of an area find its faults, each tell something, and accuse no correct service. */
export function holdRules({ area, rules, writes = false, sites, choices = {}, mutants, variants }: Held): void {
  describe(`the rules of ${area}`, { timeout }, () => {
    it.each(specs)('accuse a correct %s of nothing', async spec => {
      const bench = await openBench(spec, { writes })
      expect(await accusationsOf(rules, bench, { sites: sites.correct, cases: 6 })).toEqual([])
    })

    it('each tell something of a correct directory or library', async () => {
      const told = new Set<string>()
      for (const spec of specs) {
        for (const id of await tellingRules(rules, await openBench(spec, { writes }))) told.add(id)
      }
      expect(rules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    })

    it.each(mutants)('find the fault %s with %s', async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant, writes, choices })
      const rule = rules.find(each => each.id === id)
      const asking = rules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    })

    it.each(variants)('accuse a service of nothing that is correct and different: %s', async variant => {
      const bench = await openBench('directory', { variant, writes })
      expect(await accusationsOf(rules, bench, { sites: sites.variants, cases: 4 })).toEqual([])
    })
  })
}
