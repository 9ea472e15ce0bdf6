import { describe, expect, it } from 'vitest'
import { violatedRules, violationFeatures } from '../../testing/mutant-run.js'

describe('the rules of $expand', () => {
  it.each([
    ['expand-ignored', 'expand-same'],
    ['expand-children-has-itself', 'expand-same'],
    ['expand-all-is-the-first', 'expand-same'],
    ['expand-ignored-below-items', 'expand-same'],
    ['expand-select-ignored', 'expand-same'],
    ['expand-select-adds-one', 'expand-same'],
    ['expand-select-reaches-parent', 'expand-same'],
    ['expand-select-is-the-outer-one', 'expand-same'],
    ['expand-select-loses-last', 'expand-same'],
    ['expand-drops-parents', 'expand-same'],
    ['expand-repeats-parents', 'expand-same'],
    ['expand-of-neighbour', 'expand-same'],
    ['expand-single-as-list', 'expand-same'],
    ['expand-first-only', 'expand-same'],
    ['expand-nulls-texts', 'expand-same'],
    ['expand-ignored-on-items', 'expand-item'],
    ['expand-empty-in-lists', 'expand-each'],
    ['expand-names-by-key-in-lists', 'expand-each'],
    ['expand-ignored-beside-skip', 'expand-combined'],
    ['expand-ignored-beside-search', 'expand-combined'],
    ['expand-filter-ignored', 'expand-nested'],
    ['expand-orderby-ignored', 'expand-nested'],
    ['expand-top-ignored', 'expand-nested'],
    ['expand-skip-ignored', 'expand-nested'],
    ['expand-count-of-page', 'expand-nested'],
    ['expand-inside-ignored', 'expand-nested'],
    ['expand-top-over-all', 'expand-nested'],
    ['expand-link-skips-an-item', 'expand-continues'],
    ['expand-link-repeats-an-item', 'expand-continues'],
    ['expand-link-refused', 'expand-continues'],
  ])('detect %s with %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant)).toBeDefined()
  })

  it.each(['expand-always', 'expand-always-collections'])('detect %s in the responses', async mutant => {
    expect(await violationFeatures('expand-only', mutant, 'expand-item')).toBeDefined()
  })

  it.each([
    { expandedItems: 'limited' },
    { emptyRelation: 'absent' },
    { expandDepth: 'deeper' },
    { unselected: 'null', unselectedKey: 'returned' },
    { defaultProjection: 'limited' },
  ])('accept %j', async choices => {
    expect(await violatedRules({ choices, rules: ['expand-*'], requests: 200 })).toEqual([])
  })

  it.each(['directory', 'library'] as const)('report nothing for a conforming %s', async spec => {
    expect(await violatedRules({ spec, rules: ['expand-*'], requests: 200 })).toEqual([])
  })
})
