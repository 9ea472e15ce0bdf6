import { describe, expect, it } from 'vitest'
import { violatedRules, violationFeatures } from '../../testing/mutant-run.js'

describe('order-sorted', () => {
  it.each([
    'orderby-ignored',
    'desc-ignored',
    'asc-as-desc',
    'desc-of-first-for-all',
    'desc-of-last-for-all',
    'second-key-ignored',
    'third-key-ignored',
    'orderby-ignored-with-search',
    'last-key-first',
    'nulls-left-out',
    'orderby-ignored-with-filter',
    'desc-lost-with-top',
    'timestamps-sort-by-day',
    'timestamps-sort-as-text',
    'nulls-move-with-type',
    'booleans-unsorted',
    'paths-unsorted',
    'first-rows-sorted',
  ])('finds %s', async mutant => {
    expect(await violationFeatures('order-sorted', mutant)).toBeDefined()
  })

  it.each([
    { nullOrder: 'first' },
    { nullOrder: 'last' },
    { nullOrder: 'highest' },
    { stringOrder: 'caseInsensitive' },
    { stringOrder: 'locale' },
    { enumOrder: 'name' },
    { emptyString: 'null' },
    { normalization: 'folded', accents: 'folded', trailingSpaces: 'folded' },
  ])('accepts %j', async choices => {
    expect(await violatedRules({ choices, rules: ['order-*', 'top-first', 'skip-leaves-out'], requests: 200 })).toEqual(
      [],
    )
  })
})

it('order-reversed does not depend on the order of strings', async () => {
  const choices = { stringOrder: 'locale' }
  expect(await violatedRules({ choices, mutant: 'desc-ignored', rules: ['order-reversed'] })).toEqual([
    'order-reversed',
  ])
  expect(await violatedRules({ choices, rules: ['order-reversed'] })).toEqual([])
})

it('order-ascending expects asc to be the default', async () => {
  expect(await violatedRules({ mutant: 'asc-as-desc', rules: ['order-ascending'] })).toEqual(['order-ascending'])
  expect(await violatedRules({ rules: ['order-ascending'] })).toEqual([])
})

it.each(['directory', 'library'] as const)('a conforming %s satisfies every ordering rule', async spec => {
  expect(await violatedRules({ spec, rules: ['order-*'], requests: 200 })).toEqual([])
})
