import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { correct, run } from '../testing/things.js'
import { summarizeSelectivity } from './build-report.js'

describe('the selectivity of filters', () => {
  it.each([
    [[], undefined],
    [[0.5], { least: 0.5, median: 0.5, most: 0.5 }],
    [[1, 0, 0.25], { least: 0, median: 0.25, most: 1 }],
    [[1 / 3, 1, 0, 2 / 3], { least: 0, median: 0.5, most: 1 }],
  ])('of %j is %j', (shares, expected) => {
    expect(summarizeSelectivity(shares)).toEqual(expected)
  })

  it('is in order', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), shares => {
        const { least, median, most } = summarizeSelectivity(shares) ?? { least: 0, median: -1, most: 0 }
        expect(least).toBeLessThanOrEqual(median)
        expect(median).toBeLessThanOrEqual(most)
      }),
    )
  })

  it('is in the result of each filter rule that distinguished rows, and of no other', async () => {
    const { rules } = await run(correct(), { requests: 400, only: ['filter', 'paging'] })
    const distinguishing = rules.filter(({ checks, vacuous, state }) => state === 'passed' && checks > vacuous)
    const model = distinguishing.find(({ rule }) => rule === 'filter-model')
    expect(model?.selectivity?.least).toBeLessThan(0.5)
    expect(model?.selectivity?.most).toBeGreaterThan(0.5)
    expect(model?.selectivity?.most).toBeLessThanOrEqual(1)
    // It looks at whether a value is refused, not at rows.
    const other = distinguishing.filter(({ rule, area }) => area !== 'filter' || rule === 'filter-literal-independence')
    expect(other.filter(({ selectivity }) => selectivity !== undefined)).toEqual([])
    const filters = distinguishing.filter(each => !other.includes(each))
    expect(filters.filter(({ selectivity }) => selectivity === undefined)).toEqual([])
    expect(filters.length).toBeGreaterThan(3)
  })
})
