import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestRequest, TestResponse } from '../http/message.js'
import { isItemPath, pathOfLocation, restoreItem } from './ledger.js'

const root = 'http://service.invalid/v1.0'

describe('the path of a created item', () => {
  it.each<[string, string | undefined]>([
    [`${root}/groups/7`, '/groups/7'],
    ['/v1.0/groups/7', '/groups/7'],
    ['groups/7', '/groups/7'],
    [`${root}/groups/a%20b`, '/groups/a%20b'],
    [`${root}/groups('a')`, `/groups('a')`],
    [`${root}/groups`, undefined],
    [`${root}/groups/`, undefined],
    [`${root}/groups/7/members`, undefined],
    [`${root}/users/7`, undefined],
    [`${root}/groups/7?all=true`, undefined],
    [`${root}/groups/7#top`, undefined],
    [`${root}/groups/..`, undefined],
    [`${root}/groups/../users/7`, undefined],
    [`${root}/groups/%2e%2e`, undefined],
    [`${root}/groups/%2E`, undefined],
    [`${root}/groups/%252e%252e`, undefined],
    [`${root}/groups/7%2Fmembers`, undefined],
    [`${root}/groups/7%252Fmembers`, undefined],
    [`${root}/groups/7%5Cmembers`, undefined],
    [`${root}/groups/7%00`, undefined],
    [`${root}/groups/7%0D%0Ax`, undefined],
    [`${root}/groups/%ff`, undefined],
    [`${root}/groups/$count`, undefined],
    ['//elsewhere.invalid/v1.0/groups/7', undefined],
    ['http://elsewhere.invalid/v1.0/groups/7', undefined],
    ['https://service.invalid/v1.0/groups/7', undefined],
    ['http://name:word@service.invalid/v1.0/groups/7', undefined],
    ['http://service.invalid.elsewhere.invalid/v1.0/groups/7', undefined],
    ['http://service.invalid/v2.0/groups/7', undefined],
    ['http://[', undefined],
    ['', undefined],
  ])('in the Location %s is %s', (location, path) => {
    expect(pathOfLocation(location, '/groups', root)).toBe(path)
  })

  it('is never more than the collection and one key, whatever Location says', () => {
    const part = fc.constantFrom(
      '/',
      '..',
      '.',
      '%2e',
      '%2f',
      '%25',
      '2f',
      '7',
      'groups',
      '?',
      '#',
      '\\',
      '@',
      ':',
      '(',
      ')',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), parts => {
        const path = pathOfLocation(`${root}/groups/${parts.join('')}`, '/groups', root)
        if (path === undefined) return
        expect(path).toMatch(/^\/groups\/[^/]+$/)
        expect(isItemPath(path, '/groups')).toBe(true)
        expect(new URL(`${root}${path}`).pathname).toBe(`/v1.0${path}`)
      }),
    )
  })
})

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
