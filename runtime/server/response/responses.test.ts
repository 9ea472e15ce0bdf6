import { describe, expect, it } from 'vitest'
import { responseTo, shop, shopHandlers, shopRequest } from '../testing/shop.js'
import { JsonText } from '../value/primitive-values.js'

const service = shop(shopHandlers)

describe('responses', () => {
  it('to a collection have a context, a count and a next link with all options', async () => {
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

  it('have null for missing properties, and no property that must be selected', async () => {
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

  it('to a count are plain text, or JSON if the caller accepts only JSON', async () => {
    const eventual = { consistencylevel: 'Eventual' }
    const text = await service(shopRequest('GET', '/books/$count', eventual))
    expect([await text.text(), text.headers.get('content-type')]).toEqual(['7', 'text/plain;charset=utf-8'])
    const json = await responseTo(
      service,
      shopRequest('GET', '/books/$count', { ...eventual, accept: 'application/json' }),
    )
    expect(json.body).toBe(7)
  })

  it('to a delta request have a delta link, the keys of removed items, and only the changed properties', async () => {
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

  it('to a create have the URL of the item', async () => {
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
    ['PATCH', '/books/1', 'RETURN="minimal"; foo=bar, wait=1', 204, 'RETURN=minimal'],
    ['PATCH', '/books/1', 'return=everything', 200, null],
    ['PUT', '/books/1', '', 204, null],
  ])('to %s %s with Prefer %s are %i', async (method, path, prefer, status, applied) => {
    const body =
      method === 'PATCH' ? { pages: 1 } : path === '/copies' ? { isbn: '1', number: 1 } : { isbn: '1', title: 'T' }
    const response = await service(shopRequest(method, path, { prefer, 'if-match': '*' }, body))
    expect([response.status, response.headers.get('preference-applied')]).toEqual([status, applied])
    if (method === 'POST' && status === 204) {
      expect(response.headers.get('odata-entityid')).toBe(response.headers.get('location'))
    }
  })

  it('to operations have lists and values in value, and are 204 without a result', async () => {
    expect(await responseTo(service, shopRequest('POST', '/me/follow', {}, { ids: ['a', 'b'] }))).toMatchObject({
      status: 200,
      body: { '@odata.context': 'http://shop.example/v1/$metadata#Collection(Edm.String)', value: ['a', 'b'] },
    })
    expect((await service(shopRequest('POST', '/me/reset'))).status).toBe(204)
    expect((await service(shopRequest('POST', '/me/shop.reset()', {}, {}))).status).toBe(204)
  })

  it('have a request id and the client request id', async () => {
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
    ['4.02', 200, '4.01'],
    ['5.0', 200, '4.01'],
    ['3.0', 406, '4.0'],
    ['x', 200, '4.0'],
  ])('to OData-MaxVersion %s are %i of version %s', async (version, status, expected) => {
    const response = await service(
      shopRequest('GET', '/books', version === undefined ? {} : { 'odata-maxversion': version }),
    )
    expect([response.status, response.headers.get('odata-version')]).toEqual([status, expected])
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

  it('have no control information for odata.metadata=none', async () => {
    const { headers, body } = await responseTo(
      service,
      shopRequest('GET', '/books?$select=isbn&$count=true', { accept: 'application/json;odata.metadata=none' }),
    )
    expect(headers.get('content-type')).toContain('odata.metadata=none')
    expect(body).toMatchObject({ '@odata.count': 7, value: [{ isbn: '1' }, { isbn: '2' }] })
    expect(JSON.stringify(body)).not.toContain('etag')
  })

  it('have the JSON text of a handler unchanged, or without control information if the caller wants none', async () => {
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

  it('honour $format rather than Accept', async () => {
    const html = { accept: 'text/html' }
    expect((await service(shopRequest('GET', '/books?$format=json', html))).status).toBe(200)
    expect(
      (await service(shopRequest('GET', '/books?$format=application/json;odata.metadata%3Dnone', html))).status,
    ).toBe(200)
    expect((await service(shopRequest('GET', '/books?$format=xml'))).status).toBe(406)
  })
})
