import { describe, expect, it } from 'vitest'
import { violatedRules, violationFeatures } from '../../testing/mutant-run.js'

describe('the rules of $top, $skip and $count', () => {
  it.each([
    ['top-ignored', 'top-first'],
    ['top-gives-one-more', 'top-first'],
    ['desc-lost-with-top', 'top-first'],
    ['page-sorted-alone', 'top-first'],
    ['top-gives-one-less', 'top-filtered'],
    ['skip-ignored', 'skip-leaves-out'],
    ['skip-leaves-one', 'skip-leaves-out'],
    ['skip-ignored-with-order', 'skip-leaves-out'],
    ['skip-needs-top', 'skip-leaves-out'],
    ['skip-before-order', 'skip-leaves-out'],
    ['skip-ignored-with-filter-and-order', 'options-combined'],
    ['top-before-skip', 'skip-leaves-out'],
    ['count-is-page-length', 'count-value'],
    ['count-ignores-filter', 'count-value'],
    ['count-without-skipped', 'count-value'],
    ['count-one-too-many', 'count-value'],
    ['count-missing', 'count-value'],
    ['count-missing-with-filter', 'count-value'],
    ['count-under-another-name', 'count-value'],
    ['count-grows-with-expand', 'count-value'],
    ['count-zero-with-top-zero', 'count-value'],
    ['count-path-one-less', 'count-path'],
    ['count-path-in-envelope', 'count-path'],
  ])('detect %s with %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant)).toBeDefined()
  })

  it.each([
    ['count-without-prefix', 'list-envelope', 'count-value'],
    ['top-ignored-with-filter', 'top-respected', 'top-filtered'],
    ['count-is-text', 'count-type', 'count-value'],
    ['count-false-counts', 'count-unasked', 'count-value'],
  ])('detect %s in the responses: %s', async (mutant, rule, asking) => {
    expect(await violationFeatures(rule, mutant, asking)).toBeDefined()
  })

  it.each([
    { topMeaning: 'total' },
    { topZero: 'error' },
    { topAboveMaximum: 'error' },
    { topAboveMaximum: 'ignore' },
    { countWithoutHeader: 'ignored' },
    { countWithoutHeader: 'rejected' },
    { countPathWithoutHeader: 'answered' },
    { countOnLaterPages: 'first' },
  ])('accept %j', async choices => {
    expect(await violatedRules({ choices, rules: ['top-*', 'skip-*', 'count-*'], requests: 200 })).toEqual([])
  })

  it.each(['directory', 'library'] as const)('report nothing for a conforming %s', async spec => {
    expect(await violatedRules({ spec, rules: ['top-*', 'skip-*', 'count-*'], requests: 200 })).toEqual([])
  })
})
