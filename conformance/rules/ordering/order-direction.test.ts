import { expect, it } from 'vitest'
import { openTestSession, type TestSessionOptions, verdictsOf } from '../../testing/rule-tests.js'
import { shelf } from '../../testing/services.js'
import { orderReversed } from './order-direction.js'

it.each<[string, string, TestSessionOptions]>([
  ['pass', 'a conforming service', { rows: 30 }],
  ['fail', 'a service that ignores desc', { rows: 30, mutant: 'desc-ignored' }],
  ['fail', 'a service that sorts by the first letter', { rows: 30, mutant: 'orderby-by-first-letter' }],
  ['inconclusive', 'a service with more pages than the suite reads', { rows: 260 }],
])('%s: a list in both directions from %s', async (kind, _, options) => {
  const verdicts = await verdictsOf(orderReversed, await openTestSession(shelf, options), { sites: 1, cases: 1 })
  expect(verdicts).toMatchObject([{ kind }])
})
