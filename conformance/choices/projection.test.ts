import { describe, expect, it } from 'vitest'
import { openTestSession } from '../testing/rule-tests.js'
import { shelf } from '../testing/services.js'
import { defaultProjection } from './projection.js'

describe('the default projection', () => {
  it.each([
    ['all', 'things.list shows 6 properties without $select'],
    ['limited', 'things.list shows isNew only when it is selected'],
  ])('is learned from the items with most properties: %s', async (value, evidence) => {
    // The list that is looked at first, since it is longer than its pages, has items of which all shows in both cases.
    const { session } = await openTestSession(shelf, { rows: 8, chosen: { defaultProjection: value } })
    expect(await defaultProjection.learn(session)).toEqual({
      kind: 'learned',
      chosen: [{ value, scope: 'things' }],
      evidence: [evidence],
    })
  })

  it('stays open if $select is rejected and some properties never occur', async () => {
    const { session } = await openTestSession('directory', { variant: ['no-select', 'defaultProjection-limited'] })
    expect(await defaultProjection.learn(session)).toEqual({
      kind: 'undecided',
      why: expect.stringMatching(/^\w+ was never returned: no item has it, or it must be selected, which is rejected$/),
    })
  })

  it('is learned without $select if all properties occur', async () => {
    const { session } = await openTestSession('directory', { variant: 'no-select' })
    expect(await defaultProjection.learn(session)).toMatchObject({ kind: 'learned', chosen: [{ value: 'all' }] })
  })
})
