import { describe, expect, it } from 'vitest'
import type { TestRequest, TestResponse } from '../http/message.js'
import { restoreItem } from './existing-items.js'

/** A service with one item that applies a PATCH as given. */
function serviceWith(
  item: Record<string, unknown>,
  patch: (body: Record<string, unknown>) => { readonly status: number; readonly values: Record<string, unknown> },
): { readonly send: (request: TestRequest) => Promise<TestResponse>; readonly patches: unknown[] } {
  const patches: unknown[] = []
  let values = item
  return {
    patches,
    send: async request => {
      let status = 200
      if (request.method === 'PATCH') {
        patches.push(request.body)
        const result = patch(Object(request.body))
        status = result.status
        values = { ...values, ...result.values }
      }
      const url = `http://service.invalid${request.path}`
      return {
        number: 1,
        testRequest: request,
        request: { method: request.method, url, headers: {} },
        status,
        headers: {},
        text: JSON.stringify(values),
        json: { ...values },
        milliseconds: 0,
      }
    },
  }
}

describe('restoring an item', () => {
  it('sends only what has changed, and what a read does not show', async () => {
    const service = serviceWith({ a: 'new', b: 1 }, body => ({ status: 200, values: body }))
    expect(await restoreItem({ path: '/me', before: { a: 'old', b: 1, hidden: 'x' } }, service.send)).toEqual([])
    expect(service.patches).toEqual([{ a: 'old', hidden: 'x' }])
  })

  it('sends each value on its own if the service refuses one', async () => {
    const service = serviceWith({ a: 'new', b: 2 }, body =>
      'b' in body ? { status: 400, values: {} } : { status: 200, values: body },
    )
    expect(await restoreItem({ path: '/me', before: { a: 'old', b: 1 } }, service.send)).toEqual(['b'])
    expect(service.patches).toEqual([{ a: 'old', b: 1 }, { a: 'old' }, { b: 1 }])
  })

  it('sends nothing if nothing has changed', async () => {
    const service = serviceWith({ a: 'old' }, body => ({ status: 200, values: body }))
    expect(await restoreItem({ path: '/me', before: { a: 'old' } }, service.send)).toEqual([])
    expect(service.patches).toEqual([])
  })
})
