import { describe, expect, it } from 'vitest'
import { RequestFault } from '../errors.js'
import type { AnyCall } from '../handler.js'
import { dune, responseTo, shop, shopHandlers, shopRequest } from '../testing/shop.js'

const service = shop(shopHandlers)

describe('errors', () => {
  it('from a handler have the keys in their message and the given details', async () => {
    const failing = shop({
      books: {
        get: ({ fail }: AnyCall) => fail('bookNotFound', { target: 'isbn', headers: { 'retry-after': '1' } }),
      },
    })
    const { status, headers, body } = await responseTo(failing, shopRequest('GET', '/books/42'))
    expect([status, headers.get('retry-after'), headers.get('content-language')]).toEqual([404, '1', 'en'])
    expect(body).toMatchObject({ error: { code: 'bookNotFound', message: 'There is no book 42.', target: 'isbn' } })
  })

  it('are the declared 404 if a handler finds no item', async () => {
    expect((await responseTo(service, shopRequest('GET', '/books/42'))).body).toMatchObject({
      error: { code: 'bookNotFound', message: 'There is no book 42.' },
    })
    expect((await responseTo(shop({ me: { get: () => undefined } }), shopRequest('GET', '/me'))).body).toMatchObject({
      error: { code: 'itemNotFound' },
    })
  })

  it('can be faults that a handler or hook throws', async () => {
    const busy = shop(shopHandlers, {
      authenticate: () => {
        throw new RequestFault('tooManyRequests', { headers: { 'retry-after': '5' } })
      },
    })
    const response = await busy(shopRequest('GET', '/books'))
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5'])
  })

  it.each([
    [
      'a throwing handler',
      {
        books: {
          list: () => {
            throw new Error('secret')
          },
        },
      },
    ],
    ['a rejecting handler', { books: { list: () => Promise.reject(new Error('secret')) } }],
    ['a handler without a page', { books: { list: () => 'secret' } }],
    ['a handler without the requested count', { books: { list: () => ({ value: [] }) } }],
    ['a page that is not JSON', { books: { list: () => ({ value: [{ isbn: 1n }], count: 1 }) } }],
    ['an undeclared error', { books: { list: ({ fail }: AnyCall) => fail('secret') } }],
  ])('of the service itself, such as %s, reveal no details', async (_what, broken) => {
    const seen: unknown[] = []
    const failing = shop(broken, { onError: error => seen.push(error) })
    const { status, body } = await responseTo(failing, shopRequest('GET', '/books?$count=true'))
    expect(status).toBe(500)
    expect(body).toMatchObject({ error: { code: 'internalError', message: 'The service failed.' } })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(seen).toHaveLength(1)
  })

  it('are returned if a handler sets an invalid header', async () => {
    const seen: unknown[] = []
    const onError = (error: unknown): unknown => seen.push(error)
    const newline = shop({ books: { get: () => ({ ...dune, '@odata.etag': '"\n"' }) } }, { onError })
    expect((await newline(shopRequest('GET', '/books/1'))).status).toBe(500)
    const failing = shop(
      { books: { get: ({ fail }: AnyCall) => fail('stale', { headers: { 'x y': '☃' } }) } },
      { onError },
    )
    expect((await failing(shopRequest('GET', '/books/1'))).status).toBe(500)
    expect(seen).toHaveLength(2)
  })

  it('in the error hook do not prevent the response', async () => {
    const failing = shop(
      { me: { get: () => Promise.reject(new Error('x')) } },
      {
        onError: () => {
          throw new Error('y')
        },
      },
    )
    expect((await failing(shopRequest('GET', '/me'))).status).toBe(500)
  })

  it('include 414 for a target that is too long', async () => {
    expect((await service(shopRequest('GET', `/books?x=${'x'.repeat(2000)}`))).status).toBe(414)
  })
})
