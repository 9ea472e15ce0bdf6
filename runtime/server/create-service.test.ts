import { describe, expect, it } from 'vitest'
import { createService } from './create-service.js'
import { type AnyCall, notImplemented } from './handler.js'
import type { ExtraRoute } from './service-options.js'
import { emma, responseTo, shop, shopHandlers, shopRequest } from './testing/shop.js'
import { shopTable } from './testing/shop-table.js'

const service = shop(shopHandlers)

describe('routing', () => {
  const found: readonly (readonly [string, number])[] = [
    ['/books', 200],
    ['/books/', 200],
    ['/books/1', 200],
    ["/books('1')", 200],
    ["/books(isbn='1')", 200],
    ['/books/%31', 200],
    ['/me/../books/1', 200],
    ['/books/./1', 200],
    ['/books/$count', 400],
    ['/books/%24count', 400],
    ['/books/delta', 200],
    ['/books/delta()', 200],
    ['/books/shop.delta()', 200],
    ['/books/1/author', 204],
    ["/copies(isbn='1',number=2)", 200],
    ["/copies(number=2,isbn='1')", 200],
    ['/copies/1/2', 200],
    ['/books/9', 404],
    ['/books/1/nothing', 404],
    ['/books//1', 404],
    ['//books', 404],
    ['/Books', 404],
    ['', 404],
    ['x', 404],
    ['/constructor', 404],
    ['/__proto__', 404],
    ["/copies(isbn='1')", 404],
    ["/copies(isbn='1',isbn='2')", 404],
    ['/copies(1)', 404],
    ["/copies(isbn='1',number='x')", 400],
    ["/copies(isbn='1',number=2147483648)", 400],
    ['/copies/1/x', 400],
    ['/books/%zz', 400],
    ['/books/%ff', 400],
    ['/books/a%00b', 400],
    ["/books('a%00b')", 400],
    ['/books(1)', 400],
    ["/books('1)", 400],
    ["/copies(isbn='1,number=2)", 400],
    ["/copies(isbn='1',number=2", 404],
    ["/books/O'Neil(9", 404],
  ]
  it.each(found)('GET %s returns %i', async (path, status) => {
    expect((await service(shopRequest('GET', path))).status).toBe(status)
  })

  it('passes typed keys by name', async () => {
    const { body } = await responseTo(service, shopRequest('GET', "/copies(isbn='O''Neil%2F',number=2)"))
    expect(body).toEqual({
      '@odata.context': 'http://shop.example/v1/$metadata#copies/$entity',
      isbn: "O'Neil/",
      number: 2,
      constructor: null,
    })
  })

  it('returns 404 with the path for a request outside of its root', async () => {
    const request = new Request('http://shop.example/v2/books', { headers: { authorization: 'x' } })
    expect(await responseTo(service, request)).toMatchObject({
      status: 404,
      body: {
        error: { code: 'pathNotFound', message: 'There is nothing at /v2/books. The root of the service is /v1.' },
      },
    })
  })

  it('supports another root and another public URL', async () => {
    const elsewhere = shop(shopHandlers, { root: '/shop/api', publicUrl: 'https://public.example/api' })
    const request = new Request('http://internal/shop/api/books', { headers: { authorization: 'x' } })
    const { status, body } = await responseTo(elsewhere, request)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      '@odata.context': 'https://public.example/api/$metadata#books',
      '@odata.nextLink': 'https://public.example/api/books?$skiptoken=a%20b%26c',
    })
  })
})

describe('methods', () => {
  const cases: readonly (readonly [string, string, number, string])[] = [
    ['PUT', '/books', 405, 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/books/1', 405, 'GET, HEAD, PATCH, PUT, DELETE, OPTIONS'],
    ['GET', '/me/follow', 405, 'POST, OPTIONS'],
    ['OPTIONS', '/books/1', 204, 'GET, HEAD, PATCH, PUT, DELETE, OPTIONS'],
    ['PROPFIND', '/me', 405, 'GET, HEAD, OPTIONS'],
  ]
  it.each(cases)('%s %s returns %i and Allow', async (method, path, status, allow) => {
    const response = await service(shopRequest(method, path))
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow])
  })

  it('HEAD returns the headers of GET without the body', async () => {
    const get = await service(shopRequest('GET', '/books/1'))
    const head = await service(shopRequest('HEAD', '/books/1'))
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('etag')).toBe('W/"1"')
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  })

  it('returns 501 if a handler is missing', async () => {
    expect(await responseTo(shop({}), shopRequest('GET', '/books'))).toMatchObject({
      status: 501,
      body: { error: { code: 'notImplemented' } },
    })
  })

  it.each([
    ['it is notImplemented', notImplemented],
    ['it calls notImplemented', () => notImplemented()],
    ['it calls notImplemented of its call', (call: AnyCall) => call.notImplemented()],
  ])('returns 501 if a handler is not implemented: %s', async (_, list) => {
    expect(await responseTo(shop({ books: { list } }), shopRequest('GET', '/books'))).toMatchObject({
      status: 501,
      body: { error: { code: 'notImplemented' } },
    })
  })

  it('finds methods of class instances, but no members of Object.prototype', async () => {
    class Books {
      readonly title = 'from this'
      get(): object {
        return { isbn: '1', title: this.title }
      }
    }
    expect(await responseTo(shop({ books: new Books() }), shopRequest('GET', '/books/1'))).toMatchObject({
      status: 200,
      body: { title: 'from this' },
    })
    const named = { ...shopTable, routes: shopTable.routes.map(route => ({ ...route, name: 'constructor' })) }
    expect((await shop({}, {}, named)(shopRequest('GET', '/me'))).status).toBe(501)
  })
})

describe('a caller', () => {
  it('without a credential is challenged before any other check', async () => {
    for (const path of ['/books', '/nothing', '/books/%zz']) {
      const response = await service(new Request(`http://shop.example/v1${path}`))
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="shop"'])
    }
  })

  it('with an invalid credential gets the error invalid_token', async () => {
    const closed = shop(shopHandlers, { authenticate: () => undefined })
    const response = await closed(shopRequest('GET', '/books'))
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="shop", error="invalid_token"')
  })

  it('needs one of the scopes', async () => {
    const reader = shop(shopHandlers, { authenticate: async () => ({ id: 'r', scopes: ['read'] }) })
    const response = await reader(shopRequest('POST', '/books', {}, emma))
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="shop", error="insufficient_scope", scope="write admin"',
    )
    const admin = shop(shopHandlers, { authenticate: () => ({ id: 'r', scopes: ['admin'] }) })
    expect((await admin(shopRequest('POST', '/books', {}, emma))).status).toBe(201)
  })

  it('is anonymous if the service declares no authentication', async () => {
    const table = { ...shopTable, authentication: { scheme: 'none' as const } }
    const open = createService(table, route => (route.name === 'me.get' ? shopHandlers.me.get : undefined))
    expect(await responseTo(open, new Request('http://shop.example/v1/me'))).toMatchObject({
      status: 200,
      body: { id: '' },
    })
  })

  it('cannot be identified with a table that contradicts itself', () => {
    const broken = { ...shopTable.errors, stale: { status: 42, code: 'stale', message: '' } }
    expect(() => shop({}, {}, { ...shopTable, errors: broken })).toThrow('stale has the invalid status 42')
    const { stale: _stale, ...errors } = shopTable.errors
    expect(() => shop({}, {}, { ...shopTable, errors })).toThrow('books.update refers to the error stale')
  })

  it('must be identified by the option authenticate if the service requires a credential', () => {
    expect(() => createService(shopTable, () => undefined)).toThrow(TypeError)
  })
})

describe('handlers', () => {
  it('receive context, principal, request and signal', async () => {
    const controller = new AbortController()
    const spy = shop(
      { me: { get: (call: AnyCall) => ({ name: `${call.context} ${call.request.method} ${call.signal.aborted}` }) } },
      { context: async (request, principal) => `${principal.id} ${request.headers.get('x-test')}` },
    )
    const request = new Request(shopRequest('GET', '/me', { 'x-test': 'yes' }), { signal: controller.signal })
    expect((await responseTo(spy, request)).body).toMatchObject({ name: 'clerk yes GET false' })
  })
})

describe('extra routes', () => {
  const routes: readonly ExtraRoute[] = [
    { method: 'GET', path: '/healthz', anonymous: true, handle: () => ({ status: 200, headers: {}, body: 'ok' }) },
    {
      method: 'POST',
      path: '/v1/$batch',
      handle: async ({ request, dispatch }) => {
        const inner = await dispatch({ ...request, target: '/v1/me', head: shopRequest('GET', '/me') })
        return { ...inner, status: 207 }
      },
    },
  ]
  const extended = shop(shopHandlers, { extraRoutes: routes })

  it('can be anonymous', async () => {
    expect(await (await extended(new Request('http://shop.example/healthz'))).text()).toBe('ok')
  })

  it('need a credential otherwise, and can send requests to the service', async () => {
    expect((await extended(new Request('http://shop.example/v1/$batch', { method: 'POST' }))).status).toBe(401)
    expect(await responseTo(extended, shopRequest('POST', '/$batch'))).toMatchObject({
      status: 207,
      body: { id: 'clerk' },
    })
    expect((await extended(shopRequest('GET', '/$batch'))).headers.get('allow')).toBe('POST, OPTIONS')
  })
})
