import { describe, expect, it } from 'vitest'
import { reportOf, violatedRules, violationFeatures } from '../../testing/mutant-run.js'
import { openTestSession, verdictsOf } from '../../testing/rule-tests.js'
import { pagingCovers } from './paging-covers.js'

/** Rules whose requests show a fault that others only see. */
const askingFor: ReadonlyMap<string, string> = new Map([
  ['value-is-missing-when-empty', 'skip-leaves-out'],
  ['link-decoded', 'paging-keeps'],
  ['null-key-breaks-the-link', 'paging-order'],
])

describe('the rules of paging', () => {
  it.each([
    ['page-skips-a-row', 'paging-covers'],
    ['page-repeats-a-row', 'paging-covers'],
    ['last-page-links-on', 'paging-covers'],
    ['link-never-advances', 'paging-covers'],
    ['second-page-is-last', 'paging-covers'],
    ['single-last-row-lost', 'paging-covers'],
    ['no-next-link', 'paging-covers'],
    ['pages-are-shuffled', 'paging-covers'],
    ['later-pages-in-another-order', 'paging-order'],
    ['continuation-ignores-desc', 'paging-order'],
    ['nulls-vanish-while-paging', 'paging-order'],
    ['link-loses-orderby', 'paging-order'],
    ['link-loses-filter', 'paging-keeps'],
    ['link-loses-select', 'paging-keeps'],
    ['link-loses-expand', 'paging-keeps'],
    ['link-of-messages-names-another-host', 'paging-covers'],
  ])('detect %s with %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant)).toBeDefined()
  })

  it.each([
    ['link-refused', 'next-link-leads-on'],
    ['shared-position', 'paging-covers'],
    ['link-repeats-top', 'next-link-leads-on'],
    ['link-decoded', 'next-link-leads-on'],
    ['null-key-breaks-the-link', 'next-link-leads-on'],
    ['link-null-on-last-page', 'list-envelope'],
    ['link-is-empty', 'list-envelope'],
    ['link-without-prefix', 'list-envelope'],
    ['list-is-an-array', 'list-envelope'],
    ['value-is-missing-when-empty', 'list-envelope'],
  ])('detect %s in the responses: %s', async (mutant, rule) => {
    expect(await violationFeatures(rule, mutant, askingFor.get(mutant) ?? 'paging-covers')).toBeDefined()
  })

  it('follow the pages of lists that have several only without $top', async () => {
    const chosen = { topMeaning: 'total', defaultPageSize: 'other' }
    const test = await openTestSession('directory', { chosen, choices: chosen, mutant: 'shared-position', rows: 90 })
    const verdicts = await verdictsOf(pagingCovers, test, { sites: 3, cases: 2 })
    expect(verdicts.map(({ kind }) => kind)).toContain('fail')
  })

  it.each([
    { topMeaning: 'total' },
    { nextLinkForm: 'relative' },
    { countOnLaterPages: 'first' },
    { defaultPageSize: 'other' },
    { defaultOrder: 'unstable' },
    { unselected: 'null', unselectedKey: 'returned' },
  ])('accept %j', async choices => {
    expect(await violatedRules({ choices, rules: ['paging-*', 'page-*', 'list-*', 'next-*'], requests: 200 })).toEqual(
      [],
    )
  })

  it('report what is missing, and on which pages', async () => {
    const { violations } = await reportOf({ mutant: 'page-skips-a-row', rules: ['paging-covers'] })
    const [violation] = violations
    expect(violation).toMatchObject({ area: 'paging', features: ['missing', 'nextLink'] })
    expect(violation?.missing.length).toBeGreaterThan(0)
    expect(violation?.exchanges[0]?.url).toContain('skiptoken')
  })

  it.each(['directory', 'library'] as const)('report nothing for a conforming %s', async spec => {
    expect(await violatedRules({ spec, rules: ['paging-*', 'page-*', 'list-*', 'next-*'], requests: 200 })).toEqual([])
  })
})
