import { describe, expect, it } from 'vitest'
import { orderbyItem } from '../../lists/properties.js'
import { querySite } from '../../lists/related-items.js'
import type { Verdict } from '../../rule/verdict.js'
import { openTestSession, type TestSessionOptions } from '../../testing/rule-tests.js'
import { shelf } from '../../testing/services.js'
import { pagingOrder } from './paging-order.js'

/** What is said of the first three of 24, in order, from a service that gives no more where $top limits its lists. */
async function firstThree(options: TestSessionOptions): Promise<Verdict> {
  const { session } = await openTestSession(shelf, options)
  const site = session.sites.find(({ id }) => id === 'labels.list')
  const found = site && querySite(site)
  if (found === undefined) throw new Error('The labels must be readable.')
  expect(session.snapshot(found)).toMatchObject({ complete: true, rows: { length: 24 } })
  return pagingOrder.check({ options: { orderby: [orderbyItem(['id'], 'asc')], top: 3 } }, found, session)
}

describe('an ordered list that ends after $top items', () => {
  it.each([
    ['is complete if $top may limit lists', {}, 'pass'],
    ['is complete if $top limits lists', { topMeaning: 'total' }, 'pass'],
    ['is incomplete if $top limits pages', { topMeaning: 'pageSize' }, 'fail'],
  ])('%s', async (_, choices, kind) => {
    expect(await firstThree({ chosen: { topMeaning: 'total' }, choices })).toMatchObject({ kind })
  })

  it('contains all items if $top limits pages', async () => {
    expect(await firstThree({ choices: { topMeaning: 'pageSize' } })).toMatchObject({ kind: 'pass', vacuous: false })
  })
})
