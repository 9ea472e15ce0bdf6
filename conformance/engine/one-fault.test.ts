import { describe, expect, it } from 'vitest'
import { tried } from '../rules/testing/tried.js'

describe('one fault', { timeout: 60_000 }, () => {
  const ordering = ['order-sorted', 'top-first', 'skip-leaves-out', 'paging-order', 'select-independent']

  it.each<[string, string, readonly string[]]>([
    ['desc-ignored', 'order-sorted', ordering],
    ['desc-lost-with-top', 'order-sorted', ['order-sorted', 'top-first', 'skip-leaves-out']],
    ['gt-as-ge', 'filter-model', ['filter-model', 'filter-count-path', 'filter-scope']],
    ['ge-as-gt', 'filter-model', ['filter-model', 'filter-count-path', 'filter-split']],
  ])('%s is one violation, of %s, whoever comes upon it', async (mutant, rule, rules) => {
    const { violations } = await tried({ mutant, rules, requests: 500 })
    expect(violations.map(each => each.rule)).toEqual([rule])
    const seen = new Set([rule, ...(violations[0]?.also ?? []).map(each => each.rule)])
    expect([...seen].toSorted()).toEqual(rules.toSorted())
  })

  it('in how errors are told is one violation, whatever was asked', async () => {
    const asking = ['delta-token', 'header-required', 'operation-parameters']
    const { violations } = await tried({
      mutant: 'error-code-is-number',
      rules: ['error-shape', ...asking],
      requests: 500,
    })
    expect(violations.map(each => each.rule)).toEqual(['error-shape'])
    const also = new Set((violations[0]?.also ?? []).map(each => each.rule))
    expect([...also].filter(rule => rule !== 'error-shape').toSorted()).toEqual(asking)
  })

  it.each([
    ['page-sorted-alone', ['order-sorted', 'top-first'], ['top-first']],
    ['desc-ignored', ['top-first', 'select-independent'], ['select-independent', 'top-first']],
  ])(
    '%s stays with the rules that find it where the order is right, or not judged',
    async (mutant, rules, expected) => {
      const { violations } = await tried({ mutant, rules, requests: 300 })
      expect(violations.map(({ rule }) => rule).toSorted()).toEqual(expected)
    },
  )

  it('is shown with what its rule is about', async () => {
    const { violations } = await tried({ mutant: 'desc-ignored', rules: ordering.slice(1), requests: 500 })
    const asked = new Map(violations.map(({ rule, exchanges }) => [rule, exchanges[0]?.url ?? '']))
    expect(asked.get('select-independent')).toContain('$select=')
    expect(asked.get('top-first')).toContain('$top=')
    expect(asked.get('skip-leaves-out')).toContain('$skip=')
  })
})
