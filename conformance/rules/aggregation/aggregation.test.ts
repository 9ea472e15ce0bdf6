import { describe, expect, it } from 'vitest'
import { violatedRules, violationFeatures } from '../../testing/mutant-run.js'

describe('the rules of $apply and $compute', () => {
  it.each([
    ['apply-ignored', 'apply-rows'],
    ['average-counts-nulls', 'apply-rows'],
    ['sum-of-nothing-is-zero', 'apply-rows'],
    ['countdistinct-counts-null', 'apply-rows'],
    ['max-is-last', 'apply-rows'],
    ['groupby-without-nulls', 'apply-rows'],
    ['groupby-first-property', 'apply-rows'],
    ['rollup-without-subtotals', 'apply-rows'],
    ['apply-filter-dropped', 'apply-rows'],
    ['topcount-takes-smallest', 'apply-rows'],
    ['concat-first-only', 'apply-rows'],
    ['filter-ignored-after-apply', 'apply-rows'],
    ['orderby-ignored-after-apply', 'apply-rows'],
    ['compute-ignored', 'compute-values'],
  ])('detect %s with %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant)).toBeDefined()
  })

  it('report nothing for a conforming library', async () => {
    expect(await violatedRules({ spec: 'library', rules: ['apply-rows', 'compute-values'], requests: 200 })).toEqual([])
  })
})
