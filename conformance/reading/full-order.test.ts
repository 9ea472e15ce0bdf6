import { describe, expect, it } from 'vitest'
import { openBench, type RuleBench } from '../testing/rule-bench.js'
import { shelf } from '../testing/shelf.js'
import { fullOrder, type OrderReading } from './full-order.js'
import { querySite } from './list-sites.js'
import { orderedBy } from './property-path.js'

async function orderOf({ session, answers }: RuleBench): Promise<{ order: OrderReading; asked: number }> {
  const site = session.sites.find(({ id }) => id === 'labels.list')
  const found = site && querySite(site)
  if (found === undefined) throw new Error('The labels can be read.')
  const before = answers.length
  const order = await fullOrder(found, session, [orderedBy(['text'], 'asc')])
  return { order, asked: answers.length - before }
}

describe('the order of a whole list', () => {
  it('is computed where it is known how texts sort', async () => {
    const { order, asked } = await orderOf(await openBench(shelf, { rows: 30, choices: { stringOrder: 'ordinal' } }))
    expect(order).toMatchObject({ kind: 'read', order: { values: { length: 30 } } })
    expect(asked).toBe(0)
  })

  it('is asked for, page by page, where it is not', async () => {
    const { order, asked } = await orderOf(await openBench(shelf, { rows: 30 }))
    expect(order).toMatchObject({ kind: 'read', order: { values: { length: 30 } } })
    expect(asked).toBe(15)
  })

  it('is not known where it has more pages than are read', async () => {
    const { order } = await orderOf(await openBench(shelf, { rows: 140 }))
    expect(order).toMatchObject({ kind: 'ended', verdict: { kind: 'inconclusive' } })
  })
})
