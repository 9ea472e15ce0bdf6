import { describe, expect, it } from 'vitest'
import { responseTo, shop, shopHandlers, shopRequest } from '../testing/shop.js'
import { shopTable } from '../testing/shop-table.js'

const service = shop(shopHandlers)

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
  it.each(cases)('%s as %s with %s return %i', async (method, type, body, status, code) => {
    const response = await responseTo(
      service,
      shopRequest(method, '/books', type === undefined ? {} : { 'content-type': type }, body),
    )
    expect(response.status).toBe(status)
    if (code !== '') expect(response.body).toMatchObject({ error: { code } })
  })

  it.each([
    ['4.0', 201],
    ['4.01', 201],
    ['4.0; client', 201],
    ['3.0', 415],
    ['5.0', 415],
  ])('with OData-Version %s return %i', async (version, status) => {
    const response = await service(
      shopRequest('POST', '/books', { 'odata-version': version }, '{"isbn":"1","title":"T"}'),
    )
    expect(response.status).toBe(status)
  })

  it('need a Content-Type and no content coding', async () => {
    const untyped = shopRequest('POST', '/books', {}, '{}')
    untyped.headers.delete('content-type')
    expect((await service(untyped)).status).toBe(415)
    expect((await service(shopRequest('POST', '/books', { 'content-encoding': 'gzip' }, '{}'))).status).toBe(415)
  })

  it('that are not UTF-8 are rejected', async () => {
    const request = new Request('http://shop.example/v1/books', {
      method: 'POST',
      headers: { authorization: 'x', 'content-type': json },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    })
    expect((await service(request)).status).toBe(400)
  })

  it('without a Content-Length are read only up to the limit', async () => {
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

  it('with several problems get all of them in one response', async () => {
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

  it('do not get a response that is larger than they are', async () => {
    const table = { ...shopTable, limits: { url: 2000, body: 1_000_000 } }
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, 1]))
    for (const body of [many, { ['x'.repeat(500_000)]: 1 }, { tags: Array.from({ length: 100_000 }, () => null) }]) {
      const response = await responseTo(shop(shopHandlers, {}, table), shopRequest('POST', '/books', {}, body))
      expect(response.status).toBe(400)
      expect(JSON.stringify(response.body).length).toBeLessThan(10_000)
    }
  })

  it('of actions contain the parameters', async () => {
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
    ["/me/recommend(since='x", 400, undefined],
  ]
  it.each(cases)('GET %s return %i', async (path, status, parameters) => {
    const { status: actual, body } = await responseTo(service, shopRequest('GET', path))
    expect(actual).toBe(status)
    if (parameters === undefined) return
    expect(body).toMatchObject({ value: [{ isbn: JSON.stringify(parameters) }] })
    expect(body).toMatchObject({ '@odata.context': 'http://shop.example/v1/$metadata#Collection(shop.book)' })
  })
})
