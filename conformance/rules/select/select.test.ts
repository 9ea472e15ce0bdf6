import { describe, expect, it } from 'vitest'
import { reportOf, violatedRules, violationFeatures } from '../../testing/mutant-run.js'

describe('the rules of $select', () => {
  it.each([
    ['select-loses-last', 'select-values'],
    ['select-loses-last-of-calendar', 'select-item'],
    ['selected-object-loses-a-member', 'select-values'],
    ['select-by-part-of-name', 'select-values'],
    ['selected-values-empty', 'select-values'],
    ['null-as-empty-text-when-selected', 'select-values'],
    ['select-shifts-values', 'select-values'],
    ['nested-select-ignored', 'select-values'],
    ['select-options-ignored', 'select-values'],
    ['select-options-on-item', 'select-values'],
    ['star-selects-nothing', 'select-values'],
    ['select-ignored-on-items', 'select-item'],
    ['select-changes-order', 'select-independent'],
    ['select-drops-nulls', 'select-independent'],
    ['select-hides-from-filter', 'select-independent'],
    ['select-without-key-loses-link', 'select-independent'],
  ])('detect %s with %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant)).toBeDefined()
  })

  it.each([
    ['select-ignored', 'unselected-absent'],
    ['select-adds-neighbour', 'unselected-absent'],
    ['booleans-as-text', 'declared-types'],
    ['timestamp-with-space', 'declared-types'],
    ['collection-is-null', 'declared-types'],
    ['select-shifts-values', 'same-values'],
  ])('detect %s in the responses: %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant, 'select-values')).toBeDefined()
  })

  it('detect list-without-types in the responses: item-type', async () => {
    const rules = ['select-values', 'item-type']
    expect(await violatedRules({ mutant: 'list-without-types', rules, requests: 100 })).toEqual(['item-type'])
  })

  it.each([
    { unselected: 'null' },
    { unselectedKey: 'returned' },
    { defaultProjection: 'limited' },
    { emptyString: 'null' },
  ])('accept %j', async choices => {
    const rules = ['select-*', 'unselected-*', 'same-*', 'declared-*', 'default-*']
    expect(await violatedRules({ choices, rules, requests: 200 })).toEqual([])
  })

  it('accept complex values that lack what an update of the run did not name', async () => {
    const rules = ['patch-keeps', 'declared-types']
    const variant = 'complexUpdate-as-sent'
    expect(await violatedRules({ variant, rules, requests: 400, writes: true })).toEqual([])
  })

  it('shrink to the selection', async () => {
    const { violations } = await reportOf({ mutant: 'select-loses-last', rules: ['select-values'] })
    expect(violations[0]).toMatchObject({ features: ['absent', 'select'] })
    expect(violations[0]?.exchanges[0]?.url).toContain('select')
  })

  it.each(['directory', 'library'] as const)('report nothing for a conforming %s', async spec => {
    const rules = ['select-*', 'unselected-*', 'same-*', 'declared-*', 'default-*', 'item-type']
    expect(await violatedRules({ spec, rules, requests: 200 })).toEqual([])
  })
})
