import { expect, it } from 'vitest'
import { violatedRules } from '../../testing/mutant-run.js'

it.each([
  ['search-ignored', 'search-term'],
  ['search-finds-nothing', 'search-term'],
  ['search-negated', 'search-term'],
  ['search-in-another-property', 'search-term'],
  ['search-or-as-and', 'search-or'],
  ['search-loses-second', 'search-or'],
  ['search-loses-first', 'search-or'],
  ['search-and-as-or', 'search-and'],
  ['search-not-ignored', 'search-not'],
  ['search-ignored-with-filter', 'search-filter'],
  ['filter-ignored-with-search', 'search-filter'],
])('%s is detected by %s', async (mutant, rule) => {
  expect(await violatedRules({ mutant, rules: [rule], requests: 200 })).toEqual([rule])
})

it.each([{ searchMatching: 'prefix' }, { searchMatching: 'substring' }, { searchComparison: 'ordinal' }])(
  'a service that searches by %j conforms',
  async choices => {
    expect(await violatedRules({ choices, rules: ['search-*'], requests: 200 })).toEqual([])
  },
)

it.each(['directory', 'library'] as const)('a conforming %s satisfies every search rule', async spec => {
  expect(await violatedRules({ spec, rules: ['search-*'], requests: 250 })).toEqual([])
})
