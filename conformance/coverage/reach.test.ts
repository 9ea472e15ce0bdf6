import { describe, expect, it } from 'vitest'
import { shelf } from '../testing/services.js'
import { createReach } from './reach.js'

const endpoint = (name: string) => {
  const found = shelf.endpoints.find(each => each.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}
const unit = (name: string, writes: boolean, why?: string) => ({
  rule: { aspects: writes ? (['create.item', 'update.merge'] as const) : (['collection.read'] as const), writes },
  site: { id: name, endpoint: endpoint(name) },
  why,
})

describe('what the rules of a run can check', () => {
  it('includes updates of items that another rule creates', () => {
    const reach = createReach({ scheduled: [unit('things.create', true)], unread: new Map(), isPlanned: true })
    expect(reach.applies(endpoint('things.update'), 'update')).toBe(true)
    expect(reach.isForeign(endpoint('things.update'))).toBe(false)
  })

  it('excludes updates of items that no rule creates', () => {
    const reach = createReach({ scheduled: [unit('things.list', false)], unread: new Map(), isPlanned: true })
    expect(reach.isForeign(endpoint('things.update'))).toBe(true)
    expect(reach.isForeign(endpoint('things.list'))).toBe(false)
  })

  it.each([
    ['what discovery found', { unread: new Map([['things.list', 'it answered 503']]) }, 'it answered 503'],
    ['that the run ended', { isPlanned: false }, 'the run ended before it was reached'],
    ['that there is no rule', { scheduled: [] }, 'no rule applies to it'],
    ['what the data lack', { scheduled: [unit('things.list', false, 'two rows')] }, 'two rows'],
    ['that the budget ended', {}, 'the budget ended before its turn: allow more requests'],
  ])('is explained by %s', (_, given, reason) => {
    const scheduled = [unit('things.list', false)]
    const reach = createReach({ scheduled, unread: new Map(), isPlanned: true, ...given })
    expect(reach.reasonFor(endpoint('things.list'), 'read')).toBe(reason)
  })
})
