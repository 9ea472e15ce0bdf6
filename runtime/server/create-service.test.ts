import { describe, expect, it } from 'vitest'
import { createService } from './create-service.js'
import { RequestFault } from './errors.js'
import { type AnyCall, notImplemented } from './handler.js'
import { JsonText } from './response/row.js'
import type { ExtraRoute } from './service-options.js'
import { responseTo, shop, shopRequest } from './testing/shop.js'
import { shopTable } from './testing/shop-table.js'

const dune = { isbn: '1', title: 'Dune', pages: 412, genre: 'science', tags: ['a'], '@odata.etag': 'W/"1"' }
const emma = { isbn: '2', title: 'Emma' }

const handlers = {
  books: {
    list: () => ({ value: [dune, emma], count: 7, skipToken: 'a b&c' }),
    create: (call: AnyCall) => call.body,
    get: ({ keys }: AnyCall) => (keys['isbn'] === '1' ? dune : null),
    update: (call: AnyCall) => (call.precondition.holds('W/"1"') ? dune : call.fail('stale')),
    replace: () => dune,
    delete: () => undefined,
    count: () => 7,
    delta: ({ query }: AnyCall) =>
      query.deltatoken === undefined
        ? { value: [emma], deltaToken: 'd1' }
        : {
            value: [
              { isbn: '9', title: 'x', '@removed': { reason: 'deleted' } },
              { isbn: '1', pages: null },
            ],
            skipToken: 's',
          },
    author: { get: () => null },
    reviews: { list: () => ({ value: [] }) },
  },
  copies: { get: ({ keys }: AnyCall) => ({ ...keys, other: 1 }), create: ({ body }: AnyCall) => body },
  me: {
    get: ({ principal }: AnyCall) => ({ id: principal.id }),
    recommend: ({ parameters }: AnyCall) => [{ isbn: JSON.stringify(parameters), title: '' }],
    follow: ({ parameters }: AnyCall) => parameters['ids'],
    reset: () => undefined,
  },
}
const service = shop(handlers)

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
  ]
  it.each(found)('GET %s gives %i', async (path, status) => {
    expect((await service(shopRequest('GET', path))).status).toBe(status)
  })

  it('gives keys by name, typed', async () => {
    const { body } = await responseTo(service, shopRequest('GET', "/copies(isbn='O''Neil%2F',number=2)"))
    expect(body).toEqual({
      '@odata.context': 'http://shop.example/v1/$metadata#copies/$entity',
      isbn: "O'Neil/",
      number: 2,
      constructor: null,
    })
  })

  it('answers 404 with the path outside of its root', async () => {
    const request = new Request('http://shop.example/v2/books', { headers: { authorization: 'x' } })
    expect(await responseTo(service, request)).toMatchObject({
      status: 404,
      body: {
        error: { code: 'pathNotFound', message: 'There is nothing at /v2/books. The root of the service is /v1.' },
      },
    })
  })

  it('takes another root and another public address', async () => {
    const elsewhere = shop(handlers, { root: '/shop/api', publicUrl: 'https://public.example/api' })
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
  it.each(cases)('%s %s gives %i and Allow', async (method, path, status, allow) => {
    const response = await service(shopRequest(method, path))
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow])
  })

  it('HEAD is GET without the body', async () => {
    const get = await service(shopRequest('GET', '/books/1'))
    const head = await service(shopRequest('HEAD', '/books/1'))
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('etag')).toBe('W/"1"')
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  })

  it('answers 501 where no handler is written', async () => {
    expect(await responseTo(shop({}), shopRequest('GET', '/books'))).toMatchObject({
      status: 501,
      body: { error: { code: 'notImplemented' } },
    })
  })

  it.each([
    ['notImplemented stands for it', notImplemented],
    ['it calls notImplemented', () => notImplemented()],
    ['it says so by its call', (call: AnyCall) => call.notImplemented()],
  ])('answers 501 where a handler is not written: %s', async (_, list) => {
    expect(await responseTo(shop({ books: { list } }), shopRequest('GET', '/books'))).toMatchObject({
      status: 501,
      body: { error: { code: 'notImplemented' } },
    })
  })

  it('finds methods of class instances, and no member that all objects inherit', async () => {
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

describe('the caller', () => {
  it('is challenged without a credential, before anything else is told', async () => {
    for (const path of ['/books', '/nothing', '/books/%zz']) {
      const response = await service(new Request(`http://shop.example/v1${path}`))
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="shop"'])
    }
  })

  it('learns that its credential is not valid', async () => {
    const closed = shop(handlers, { authenticate: () => undefined })
    const response = await closed(shopRequest('GET', '/books'))
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="shop", error="invalid_token"')
  })

  it('needs one of the scopes', async () => {
    const reader = shop(handlers, { authenticate: async () => ({ id: 'r', scopes: ['read'] }) })
    const response = await reader(shopRequest('POST', '/books', {}, emma))
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="shop", error="insufficient_scope", scope="write admin"',
    )
    const admin = shop(handlers, { authenticate: () => ({ id: 'r', scopes: ['admin'] }) })
    expect((await admin(shopRequest('POST', '/books', {}, emma))).status).toBe(201)
  })

  it('is nobody where the service declares no authentication', async () => {
    const table = { ...shopTable, authentication: { scheme: 'none' as const } }
    const open = createService(table, route => (route.name === 'me.get' ? handlers.me.get : undefined))
    expect(await responseTo(open, new Request('http://shop.example/v1/me'))).toMatchObject({
      status: 200,
      body: { id: '' },
    })
  })

  it('is asked for by a table without contradictions only', () => {
    const broken = { ...shopTable.errors, stale: { status: 42, code: 'stale', message: '' } }
    expect(() => shop({}, {}, { ...shopTable, errors: broken })).toThrow('stale has the status 42')
    const { stale: _stale, ...errors } = shopTable.errors
    expect(() => shop({}, {}, { ...shopTable, errors })).toThrow('books.update names the error stale')
  })

  it('is what authenticate must find out: a service that wants it is not made without', () => {
    expect(() => createService(shopTable, () => undefined)).toThrow(TypeError)
  })
})

describe('answers', () => {
  it('of a collection carry context, count and next link with all options kept', async () => {
    const { status, headers, body } = await responseTo(
      service,
      shopRequest('GET', "/books?$filter=title%20eq%20'x'&$count=true&%24SKIP=1&$select=isbn&$skiptoken=old"),
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(
      'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8',
    )
    expect(headers.get('odata-version')).toBe('4.0')
    expect(body).toEqual({
      '@odata.context': 'http://shop.example/v1/$metadata#books(isbn)',
      '@odata.count': 7,
      '@odata.nextLink':
        'http://shop.example/v1/books?$filter=title%20eq%20%27x%27&$count=true&$select=isbn&$skiptoken=a%20b%26c',
      value: [{ '@odata.etag': 'W/"1"', isbn: '1' }, { isbn: '2' }],
    })
  })

  it('show null for what is missing, and no property that must be selected', async () => {
    const { body } = await responseTo(service, shopRequest('GET', '/books/1'))
    expect(body).toEqual({
      '@odata.context': 'http://shop.example/v1/$metadata#books/$entity',
      '@odata.etag': 'W/"1"',
      isbn: '1',
      title: 'Dune',
      pages: 412,
      genre: 'science',
      price: null,
      published: null,
      tags: ['a'],
      size: null,
      boxes: [],
      weight: null,
      sold: null,
    })
  })

  it('of a count are plain text, or JSON for whoever takes nothing else', async () => {
    const eventual = { consistencylevel: 'Eventual' }
    const text = await service(shopRequest('GET', '/books/$count', eventual))
    expect([await text.text(), text.headers.get('content-type')]).toEqual(['7', 'text/plain;charset=utf-8'])
    const json = await responseTo(
      service,
      shopRequest('GET', '/books/$count', { ...eventual, accept: 'application/json' }),
    )
    expect(json.body).toBe(7)
  })

  it('of changes carry a delta link, removed items with their key, and only what changed', async () => {
    const first = await responseTo(service, shopRequest('GET', '/books/delta?$select=isbn,pages'))
    expect(first.body).toEqual({
      '@odata.context': 'http://shop.example/v1/$metadata#books(isbn,pages)',
      '@odata.deltaLink': 'http://shop.example/v1/books/delta?$select=isbn,pages&$deltatoken=d1',
      value: [{ isbn: '2' }],
    })
    const next = await responseTo(service, shopRequest('GET', '/books/delta?$select=isbn,pages&$deltatoken=d1'))
    expect(next.body).toEqual({
      '@odata.context': 'http://shop.example/v1/$metadata#books(isbn,pages)/$delta',
      '@odata.nextLink': 'http://shop.example/v1/books/delta?$select=isbn,pages&$skiptoken=s',
      value: [
        { '@removed': { reason: 'deleted' }, isbn: '9' },
        { isbn: '1', pages: null },
      ],
    })
  })

  it('of a create carry the address of the item', async () => {
    const created = await responseTo(service, shopRequest('POST', '/books', {}, { isbn: 'a/b', title: 'T' }))
    expect(created).toMatchObject({ status: 201, body: { isbn: 'a/b', title: 'T', genre: 'novel' } })
    expect(created.headers.get('location')).toBe('http://shop.example/v1/books/a%2Fb')
    const composite = await service(shopRequest('POST', '/copies', {}, { isbn: "O'N", number: 3 }))
    expect(composite.status).toBe(204)
    expect(composite.headers.get('location')).toBe("http://shop.example/v1/copies(isbn='O''N',number=3)")
  })

  it.each([
    ['POST', '/books', 'return=minimal', 204, 'return=minimal'],
    ['POST', '/books', 'return=representation', 201, 'return=representation'],
    ['POST', '/copies', 'return=representation', 201, 'return=representation'],
    ['PATCH', '/books/1', 'return=minimal', 204, 'return=minimal'],
    ['PATCH', '/books/1', 'RETURN="minimal"; foo=bar, wait=1', 204, 'return=minimal'],
    ['PATCH', '/books/1', 'return=everything', 200, null],
    ['PUT', '/books/1', '', 204, null],
  ])('of %s %s with Prefer %s are %i', async (method, path, prefer, status, applied) => {
    const body =
      method === 'PATCH' ? { pages: 1 } : path === '/copies' ? { isbn: '1', number: 1 } : { isbn: '1', title: 'T' }
    const response = await service(shopRequest(method, path, { prefer, 'if-match': '*' }, body))
    expect([response.status, response.headers.get('preference-applied')]).toEqual([status, applied])
    if (method === 'POST' && status === 204) {
      expect(response.headers.get('odata-entityid')).toBe(response.headers.get('location'))
    }
  })

  it('of operations are what they return: lists and values under value, nothing as 204', async () => {
    expect(await responseTo(service, shopRequest('POST', '/me/follow', {}, { ids: ['a', 'b'] }))).toMatchObject({
      status: 200,
      body: { '@odata.context': 'http://shop.example/v1/$metadata#Collection(Edm.String)', value: ['a', 'b'] },
    })
    expect((await service(shopRequest('POST', '/me/reset'))).status).toBe(204)
    expect((await service(shopRequest('POST', '/me/shop.reset()', {}, {}))).status).toBe(204)
  })

  it('carry a request id, and that of the caller', async () => {
    const response = await service(shopRequest('GET', '/books', { 'client-request-id': 'mine' }))
    expect(response.headers.get('client-request-id')).toBe('mine')
    expect(response.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const failed = await responseTo(service, shopRequest('GET', '/nothing', { 'client-request-id': 'mine' }))
    expect(failed.body).toMatchObject({
      error: { innerError: { 'client-request-id': 'mine', 'request-id': failed.headers.get('request-id') } },
    })
  })

  it.each([
    [undefined, 200, '4.0'],
    ['4.0', 200, '4.0'],
    ['4.01', 200, '4.01'],
    ['5.0', 200, '4.0'],
    ['3.0', 406, '4.0'],
    ['x', 200, '4.0'],
  ])('to OData-MaxVersion %s are %i of version %s', async (version, status, answered) => {
    const response = await service(
      shopRequest('GET', '/books', version === undefined ? {} : { 'odata-maxversion': version }),
    )
    expect([response.status, response.headers.get('odata-version')]).toEqual([status, answered])
  })

  it.each([
    ['*/*', 200],
    ['application/json', 200],
    ['text/html, application/*;q=0.1', 200],
    ['application/json;q=0', 406],
    ['text/html', 406],
    ['application/json;q=0, */*', 406],
    ['not a media type', 200],
  ])('to Accept %s are %i', async (accept, status) => {
    expect((await service(shopRequest('GET', '/books', { accept }))).status).toBe(status)
  })

  it('leave control information out for odata.metadata=none', async () => {
    const { headers, body } = await responseTo(
      service,
      shopRequest('GET', '/books?$select=isbn&$count=true', { accept: 'application/json;odata.metadata=none' }),
    )
    expect(headers.get('content-type')).toContain('odata.metadata=none')
    expect(body).toMatchObject({ '@odata.count': 7, value: [{ isbn: '1' }, { isbn: '2' }] })
    expect(JSON.stringify(body)).not.toContain('etag')
  })

  it('send a page that a handler gives as text as it is, without control information where that is left out', async () => {
    const value = new JsonText('[{"@odata.etag":"W/\\"1\\"","isbn":"1"},{"isbn":"2"}]')
    const written = shop({ books: { list: () => ({ value, count: 2, skipToken: 'next' }) } })
    const whole = await written(shopRequest('GET', '/books?$select=isbn'))
    expect(await whole.text()).toBe(
      `{"@odata.context":"http://shop.example/v1/$metadata#books(isbn)","@odata.nextLink":"http://shop.example/v1/books?$select=isbn&$skiptoken=next","value":${value.text}}`,
    )
    const { body } = await responseTo(
      written,
      shopRequest('GET', '/books', { accept: 'application/json;odata.metadata=none' }),
    )
    expect(body).toMatchObject({ value: [{ isbn: '1' }, { isbn: '2' }] })
    expect(JSON.stringify(body)).not.toContain('etag')
  })

  it('take $format before Accept', async () => {
    const html = { accept: 'text/html' }
    expect((await service(shopRequest('GET', '/books?$format=json', html))).status).toBe(200)
    expect(
      (await service(shopRequest('GET', '/books?$format=application/json;odata.metadata%3Dnone', html))).status,
    ).toBe(200)
    expect((await service(shopRequest('GET', '/books?$format=xml'))).status).toBe(406)
  })
})

describe('conditional requests', () => {
  const cases: readonly (readonly [string, string, Record<string, string>, number])[] = [
    ['GET', '/books/1', { 'if-none-match': 'W/"1"' }, 304],
    ['GET', '/books/1', { 'if-none-match': '"0", "1"' }, 304],
    ['GET', '/books/1', { 'if-none-match': '*' }, 304],
    ['GET', '/books/1', { 'if-none-match': 'W/"2"' }, 200],
    ['GET', '/books/1', { 'if-none-match': '1' }, 400],
    ['GET', '/books/1', { 'if-match': 'W/"2"' }, 412],
    ['GET', '/me', { 'if-none-match': 'W/"2"' }, 200],
    ['PATCH', '/books/1', { 'if-match': 'W/"1"' }, 200],
    ['PATCH', '/books/1', { 'if-match': '*' }, 200],
    ['PATCH', '/books/1', { 'if-match': 'W/"2", W/"3"' }, 412],
    ['PATCH', '/books/1', { 'if-match': '"1' }, 400],
    ['PATCH', '/books/1', { 'if-none-match': '*' }, 412],
    ['PATCH', '/books/1', {}, 200],
    ['PUT', '/books/1', {}, 428],
    ['DELETE', '/books/1', { 'if-match': '"1"' }, 412],
    ['DELETE', '/books/1', { 'if-match': '*' }, 204],
    ['DELETE', '/books/1', {}, 204],
  ]
  it.each(cases)('%s %s with %o gives %i', async (method, path, headers, status) => {
    const body = method === 'PATCH' ? { pages: 1 } : method === 'PUT' ? { title: 'T' } : undefined
    const response = await service(shopRequest(method, path, headers, body))
    expect(response.status).toBe(status)
    if (status === 304) expect([response.headers.get('etag'), await response.text()]).toEqual(['W/"1"', ''])
  })
})

describe('queries', () => {
  const eventual = { ConsistencyLevel: 'eventual' }
  const cases: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ["/books?$filter=title eq 'x'", {}, 200, ''],
    ['/books?$filter=title eq', {}, 400, 'malformedQueryOption'],
    ["/books?$filter=titel eq 'x'", {}, 400, 'malformedQueryOption'],
    ['/books?$filter=pages eq true', {}, 400, 'malformedQueryOption'],
    ["/books?$filter=tolower(title) eq 'x'", {}, 400, 'unsupportedQueryOption'],
    ['/books?$filter=secret eq null', {}, 400, 'unsupportedQueryOption'],
    ["/books?$filter=contains(title,'x')", {}, 400, 'advanced'],
    ["/books?$filter=contains(title,'x')", eventual, 200, ''],
    ["/books?$filter=contains(title,'x')", { ConsistencyLevel: 'EVENTUAL ' }, 200, ''],
    ["/books?$filter=contains(title,'x')", { ConsistencyLevel: 'session' }, 400, 'advanced'],
    ['/books?$search=x', {}, 400, 'advanced'],
    ['/books?$search=x', eventual, 200, ''],
    ['/books?$apply=x', {}, 400, 'unsupportedQueryOption'],
    ['/books?$compute=pages add 1 as p', {}, 400, 'unsupportedQueryOption'],
    ['/books?$deltatoken=x', {}, 400, 'unsupportedQueryOption'],
    ['/books?$top=1&$top=2', {}, 400, 'malformedQueryOption'],
    ['/books?$top=-1', {}, 400, 'malformedQueryOption'],
    ['/books?$expand=author($select=name)', {}, 200, ''],
    ['/books?$expand=author($expand=x)', {}, 400, 'malformedQueryOption'],
    ['/books?$expand=title', {}, 400, 'malformedQueryOption'],
    ['/books?custom=1&also', {}, 200, ''],
    ['/books?$filter=%zz', {}, 400, 'malformedQueryOption'],
    ["/books/1?$filter=title eq 'x'", {}, 400, 'unsupportedQueryOption'],
    ['/books/1?$top=1', {}, 400, 'unsupportedQueryOption'],
    ['/books/1?$select=title', {}, 200, ''],
    ['/books/$count?$top=1', eventual, 400, 'unsupportedQueryOption'],
    ["/books/$count?$filter=title eq 'x'", eventual, 200, ''],
    ["/books/$count?$filter=title eq 'x'", {}, 400, 'advanced'],
    ['/me?$select=name', {}, 400, 'unsupportedQueryOption'],
  ]
  it.each(cases)('GET %s with %o gives %i %s', async (path, headers, status, code) => {
    const answer = await responseTo(service, shopRequest('GET', path, headers))
    expect(answer.status).toBe(status)
    if (code !== '') expect(answer.body).toMatchObject({ error: { code } })
  })

  it('are refused on writes', async () => {
    expect(await responseTo(service, shopRequest('POST', '/books?$select=isbn', {}, emma))).toMatchObject({
      body: { error: { code: 'unsupportedQueryOption', target: '$select' } },
    })
  })

  it('that are wrong are told what is, and where', async () => {
    expect(
      (await responseTo(service, shopRequest('GET', "/books?$filter=titel eq 'x' or pags eq 1"))).body,
    ).toMatchObject({
      error: {
        message: expect.stringContaining("$filter: Could not find a property named 'titel'"),
        target: '$filter',
        details: [{ target: '$filter' }, { message: expect.stringContaining("'pags'") }],
      },
    })
  })

  it.each([
    ['', undefined, 2, undefined],
    ['?$top=1', undefined, 1, 1],
    ['?$top=9', undefined, 5, 5],
    ['?$top=9', 'odata.maxpagesize=3', 3, 5],
    ['', 'maxpagesize=1', 1, undefined],
    ['', 'maxpagesize=0', 2, undefined],
  ])('%s with Prefer %s ask for pages of %i', async (query, prefer, pageSize, top) => {
    let seen: AnyCall | undefined
    const spy = shop({
      books: {
        list: (call: AnyCall) => {
          seen = call
          return { value: [] }
        },
      },
    })
    await spy(shopRequest('GET', `/books${query}`, prefer === undefined ? {} : { prefer }))
    expect([seen?.pageSize, seen?.query.top]).toEqual([pageSize, top])
  })

  it.each(['/books', '/books/delta'])('with a wish for the size of pages are told that %s grants it', async path => {
    const { headers } = await responseTo(service, shopRequest('GET', path, { prefer: 'odata.maxpagesize=1' }))
    expect(headers.get('preference-applied')).toBe('maxpagesize=1')
    const plain = await responseTo(service, shopRequest('GET', path))
    expect([headers.get('vary'), plain.headers.get('vary')], 'what caches are told').toEqual(['Prefer', 'Prefer'])
  })

  it.each([
    [{ topMeaning: 'pageSize' }, 1, undefined],
    [{ topMeaning: 'total' }, 2, 1],
    [{}, 2, 1],
  ])(
    'that limit a list where the choice is %j ask for pages of %i and at most %s items',
    async (choices, size, limit) => {
      let seen: AnyCall | undefined
      const list = (call: AnyCall) => {
        seen = call
        return { value: [] }
      }
      await responseTo(shop({ books: { list } }, {}, { ...shopTable, choices }), shopRequest('GET', '/books?$top=1'))
      expect([seen?.pageSize, seen?.limit]).toEqual([size, limit])
    },
  )

  it.each([
    ['error', 400],
    ['clamp', 200],
    ['ignore', 200],
  ])('with $top above the maximum get what the service chose: %s', async (choice, status) => {
    const table = { ...shopTable, choices: { ...shopTable.choices, topAboveMaximum: choice } }
    expect((await shop(handlers, {}, table)(shopRequest('GET', '/books?$top=99'))).status).toBe(status)
  })

  it('choose preferences that the endpoint honours', async () => {
    const spy = shop({ books: { list: ({ prefer }: AnyCall) => ({ value: [{ isbn: prefer['cover-size'] }] }) } })
    const large = await responseTo(
      spy,
      shopRequest('GET', '/books?$select=isbn', { prefer: 'Vendor.Cover-Size=LARGE' }),
    )
    expect(large.body).toMatchObject({ value: [{ isbn: 'large' }] })
    expect(large.headers.get('preference-applied')).toBe('Vendor.Cover-Size="large"')
    const unknown = await responseTo(spy, shopRequest('GET', '/books?$select=isbn', { prefer: 'cover-size=huge' }))
    expect(unknown.body).toMatchObject({ value: [{ isbn: 'small' }] })
    expect(unknown.headers.get('preference-applied')).toBe(null)
    for (const { headers } of [large, unknown]) expect(headers.get('vary'), 'what caches are told').toBe('Prefer')
    expect((await responseTo(spy, shopRequest('GET', '/me'))).headers.get('vary')).toBe(null)
  })
})

describe('bodies', () => {
  const json = 'application/json'
  const cases: readonly (readonly [string, string | undefined, string, number, string])[] = [
    ['POST', json, '{"isbn":"1","title":"T"}', 201, ''],
    ['POST', 'Application/JSON; charset="UTF-8"; odata.metadata=minimal', '{"isbn":"1","title":"T"}', 201, ''],
    ['POST', 'text/plain', '{"isbn":"1","title":"T"}', 415, 'unsupportedMediaType'],
    ['POST', 'application/json;charset=latin1', '{}', 415, 'unsupportedMediaType'],
    ['POST', json, '', 400, 'malformedBody'],
    ['POST', json, '{', 400, 'malformedBody'],
    ['POST', json, `${'['.repeat(90)}${']'.repeat(90)}`, 400, 'malformedBody'],
    ['POST', json, '[]', 400, 'invalidBody'],
    ['POST', json, 'null', 400, 'invalidBody'],
    ['POST', json, '{"isbn":"1"}', 400, 'invalidBody'],
    ['POST', json, `{"title":"${'x'.repeat(1000)}"}`, 413, 'payloadTooLarge'],
  ]
  it.each(cases)('%s as %s of %s gives %i', async (method, type, body, status, code) => {
    const answer = await responseTo(
      service,
      shopRequest(method, '/books', type === undefined ? {} : { 'content-type': type }, body),
    )
    expect(answer.status).toBe(status)
    if (code !== '') expect(answer.body).toMatchObject({ error: { code } })
  })

  it.each([
    ['4.0', 201],
    ['4.01', 201],
    ['4.0; client', 201],
    ['3.0', 415],
    ['5.0', 415],
  ])('of OData-Version %s give %i', async (version, status) => {
    const response = await service(
      shopRequest('POST', '/books', { 'odata-version': version }, '{"isbn":"1","title":"T"}'),
    )
    expect(response.status).toBe(status)
  })

  it('need a type and no content coding', async () => {
    const untyped = shopRequest('POST', '/books', {}, '{}')
    untyped.headers.delete('content-type')
    expect((await service(untyped)).status).toBe(415)
    expect((await service(shopRequest('POST', '/books', { 'content-encoding': 'gzip' }, '{}'))).status).toBe(415)
  })

  it('that are not UTF-8 are refused', async () => {
    const request = new Request('http://shop.example/v1/books', {
      method: 'POST',
      headers: { authorization: 'x', 'content-type': json },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    })
    expect((await service(request)).status).toBe(400)
  })

  it('are cut off at the limit even when they come without a length', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 500
        controller.enqueue(new Uint8Array(500))
      },
    })
    const init = {
      method: 'POST',
      headers: { authorization: 'x', 'content-type': json },
      body,
      duplex: 'half' as const,
    }
    expect((await service(new Request('http://shop.example/v1/books', init))).status).toBe(413)
    expect(sent).toBeLessThan(5000)
  })

  it('tell everything that is wrong with them at once', async () => {
    const { body } = await responseTo(service, shopRequest('POST', '/books', {}, { title: null, pages: 0, nope: 1 }))
    expect(body).toMatchObject({
      error: {
        code: 'invalidBody',
        message: 'invalidBody. title must not be null. 3 more: see details.',
        details: [
          { code: 'invalidBody', target: 'title', message: 'title must not be null.' },
          { target: 'pages', message: 'pages must be at least 1.' },
          { target: 'nope', message: 'The property "nope" does not exist on type book.' },
          { target: 'isbn', message: 'isbn is required.' },
        ],
      },
    })
  })

  it('get no answer that grows beyond them', async () => {
    const table = { ...shopTable, limits: { url: 2000, body: 1_000_000 } }
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, 1]))
    for (const body of [many, { ['x'.repeat(500_000)]: 1 }, { tags: Array.from({ length: 100_000 }, () => null) }]) {
      const answer = await responseTo(shop(handlers, {}, table), shopRequest('POST', '/books', {}, body))
      expect(answer.status).toBe(400)
      expect(JSON.stringify(answer.body).length).toBeLessThan(10_000)
    }
  })

  it('of actions are their parameters', async () => {
    const refused = await responseTo(service, shopRequest('POST', '/me/follow', {}, { ids: ['a', 'b', 'c'], x: 1 }))
    expect(refused.body).toMatchObject({
      error: { code: 'invalidParameter', details: [{ target: 'x' }, { target: 'ids' }] },
    })
    expect((await service(shopRequest('POST', '/me/follow'))).status).toBe(400)
  })
})

describe('functions', () => {
  const since = "'2024-01-01T00:00:00Z'"
  const cases: readonly (readonly [string, number, object | undefined])[] = [
    [`/me/recommend(since=${since})`, 200, { since: '2024-01-01T00:00:00Z' }],
    [`/me/shop.recommend(since=${since},genre='POETRY')`, 200, { since: '2024-01-01T00:00:00Z', genre: 'poetry' }],
    [`/me/recommend(since=@s)?@s=${since}`, 200, { since: '2024-01-01T00:00:00Z' }],
    [`/me/recommend?since=${since}&limit=3`, 200, { since: '2024-01-01T00:00:00Z', limit: 3 }],
    ['/me/recommend?since=2024-01-01T00:00:00Z', 200, { since: '2024-01-01T00:00:00Z' }],
    [`/me/recommend(since=${since},tags=["a,b","c"])`, 200, { since: '2024-01-01T00:00:00Z', tags: ['a,b', 'c'] }],
    ['/me/recommend', 400, undefined],
    ['/me/recommend()', 400, undefined],
    ["/me/recommend(since='')", 400, undefined],
    ["/me/recommend(since='x')", 400, undefined],
    ['/me/recommend(since=2024-01-01T00:00:00Z)', 400, undefined],
    ['/me/recommend(since=@s)', 400, undefined],
    [`/me/recommend(since=${since},nope=1)`, 400, undefined],
    [`/me/recommend(since=${since},limit=0)`, 400, undefined],
    [`/me/recommend(since=${since},limit=x)`, 400, undefined],
    [`/me/recommend(${since})`, 400, undefined],
    ["/me/recommend(since='x", 404, undefined],
  ]
  it.each(cases)('GET %s gives %i', async (path, status, parameters) => {
    const { status: answered, body } = await responseTo(service, shopRequest('GET', path))
    expect(answered).toBe(status)
    if (parameters === undefined) return
    expect(body).toMatchObject({ value: [{ isbn: JSON.stringify(parameters) }] })
    expect(body).toMatchObject({ '@odata.context': 'http://shop.example/v1/$metadata#Collection(shop.book)' })
  })
})

describe('errors', () => {
  it('that a handler declares take its keys into their message, and what it adds', async () => {
    const failing = shop({
      books: {
        get: ({ fail }: AnyCall) => fail('bookNotFound', { target: 'isbn', headers: { 'retry-after': '1' } }),
      },
    })
    const { status, headers, body } = await responseTo(failing, shopRequest('GET', '/books/42'))
    expect([status, headers.get('retry-after')]).toEqual([404, '1'])
    expect(body).toMatchObject({ error: { code: 'bookNotFound', message: 'There is no book 42.', target: 'isbn' } })
  })

  it('are the declared 404 where a handler finds nothing', async () => {
    expect((await responseTo(service, shopRequest('GET', '/books/42'))).body).toMatchObject({
      error: { code: 'bookNotFound', message: 'There is no book 42.' },
    })
    expect((await responseTo(shop({ me: { get: () => undefined } }), shopRequest('GET', '/me'))).body).toMatchObject({
      error: { code: 'itemNotFound' },
    })
  })

  it('may be faults that a handler or hook throws', async () => {
    const busy = shop(handlers, {
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
    ['a handler without the count asked for', { books: { list: () => ({ value: [] }) } }],
    ['a page that is no JSON', { books: { list: () => ({ value: [{ isbn: 1n }], count: 1 }) } }],
    ['an undeclared error', { books: { list: ({ fail }: AnyCall) => fail('secret') } }],
  ])('of the service itself, such as %s, tell nothing but that it failed', async (_what, broken) => {
    const seen: unknown[] = []
    const failing = shop(broken, { onError: error => seen.push(error) })
    const { status, body } = await responseTo(failing, shopRequest('GET', '/books?$count=true'))
    expect(status).toBe(500)
    expect(body).toMatchObject({ error: { code: 'internalError', message: 'The service failed.' } })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(seen).toHaveLength(1)
  })

  it('come where a handler gives what no header can hold', async () => {
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

  it('of the hook for errors itself do not take the response with them', async () => {
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

  it('tell of a target that is too long', async () => {
    expect((await service(shopRequest('GET', `/books?x=${'x'.repeat(2000)}`))).status).toBe(414)
  })
})

describe('handlers', () => {
  it('get context, principal, request and signal', async () => {
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
      handle: async ({ request: incoming, dispatch }) => {
        const inner = await dispatch({ ...incoming, target: '/v1/me', head: shopRequest('GET', '/me') })
        return { ...inner, status: 207 }
      },
    },
  ]
  const extended = shop(handlers, { extraRoutes: routes })

  it('may be open to all', async () => {
    expect(await (await extended(new Request('http://shop.example/healthz'))).text()).toBe('ok')
  })

  it('otherwise need a credential, and can send requests through the service', async () => {
    expect((await extended(new Request('http://shop.example/v1/$batch', { method: 'POST' }))).status).toBe(401)
    expect(await responseTo(extended, shopRequest('POST', '/$batch'))).toMatchObject({
      status: 207,
      body: { id: 'clerk' },
    })
    expect((await extended(shopRequest('GET', '/$batch'))).headers.get('allow')).toBe('POST, OPTIONS')
  })
})
