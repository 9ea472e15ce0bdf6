import { describe, expect, it } from 'vitest'
import type { ServiceOptions } from '../service-options.js'
import { responseTo, shop, shopRequest } from '../testing/shop.js'
import { shopTable } from '../testing/shop-table.js'
import { batches } from './batch-route.js'
import { printJsonBatch } from './json-batch.js'
import type { BatchResponse } from './run-batch.js'

const seen: string[] = []
const handlers = {
  books: {
    list: () => ({ items: [{ isbn: '1', title: 'A' }] }),
    get: ({ keys, fail }: { keys: { isbn: string }; fail: (error: string) => never }) => {
      seen.push(keys.isbn)
      return keys.isbn === 'none' ? fail('bookNotFound') : { isbn: keys.isbn, title: 'T' }
    },
    create: ({ body }: { body: Record<string, unknown> }) => {
      seen.push(`create ${String(body['isbn'])}`)
      return body
    },
  },
}
const service = (options: Partial<ServiceOptions<unknown>> = {}) => shop(handlers, options, shopTable, { batches })

interface Item {
  readonly id: string
  readonly status: number
  readonly headers?: unknown
  readonly body?: unknown
}

/** The objects of a list in a body. */
function itemsOf(body: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return Array.isArray(list) ? list : []
}

/** Sends a batch and reads its responses. */
async function batch(
  requests: readonly object[],
  options: Partial<ServiceOptions<unknown>> = {},
): Promise<readonly Item[]> {
  const { status, body } = await responseTo(service(options), shopRequest('POST', '/$batch', {}, { requests }))
  expect([status, body]).toMatchObject([200, { responses: expect.any(Array) }])
  return itemsOf(body, 'responses').map(item => ({ ...item, id: String(item['id']), status: Number(item['status']) }))
}

describe('the bytes of a body that a handler gets', () => {
  const received: number[] = []
  const create = ({ body, bodyBytes }: { body: Record<string, unknown>; bodyBytes: number }) => {
    received.push(bodyBytes)
    return body
  }
  const counting = shop({ books: { create } }, {}, shopTable, { batches })
  const book = { isbn: '1', title: 'ä' }
  const bytes = new TextEncoder().encode(JSON.stringify(book))

  it('are those that arrived, whether or not a header says so', async () => {
    const { url, method, headers } = shopRequest('POST', '/books')
    headers.set('content-type', 'application/json')
    const chunks = () =>
      new ReadableStream({
        start: controller => {
          controller.enqueue(bytes.slice(0, 5))
          controller.enqueue(bytes.slice(5))
          controller.close()
        },
      })
    const chunked = { method, headers, body: chunks(), duplex: 'half' as const }
    expect((await counting(new Request(url, chunked))).status).toBe(201)
    expect(received.splice(0)).toEqual([bytes.byteLength])
  })

  it('are those of each request of a batch', async () => {
    const requests = ['a', 'b'].map(id => ({ id, method: 'POST', url: '/books', body: book }))
    await responseTo(counting, shopRequest('POST', '/$batch', {}, { requests }))
    expect(received.splice(0)).toEqual([bytes.byteLength, bytes.byteLength])
  })

  it('are known to the option atomically for all of a group', async () => {
    const groups: unknown[] = []
    const atomic = shop(
      { books: { create } },
      {
        atomically: (work, principal, group) => {
          groups.push([principal?.id, group])
          return work()
        },
      },
      shopTable,
      { batches },
    )
    const requests = ['a', 'b'].map(id => ({ id, method: 'POST', url: '/books', body: book, atomicityGroup: 'g' }))
    await responseTo(atomic, shopRequest('POST', '/$batch', {}, { requests }))
    expect(groups).toEqual([[expect.any(String), 2 * bytes.byteLength]])
  })
})

describe('$batch', () => {
  it('answers each request as if it had been sent alone, in order', async () => {
    const responses = await batch([
      { id: 'a', method: 'GET', url: '/books/1' },
      { id: 'b', method: 'GET', url: 'books/none' },
      { id: 'c', method: 'get', url: '/books/$count', headers: { consistencylevel: 'eventual' } },
      { id: 'd', method: 'GET', url: '/nowhere' },
      { id: 'e', method: 'DELETE', url: '/books' },
    ])
    expect(responses.map(({ id, status }) => [id, status])).toEqual([
      ['a', 200],
      ['b', 404],
      ['c', 501],
      ['d', 404],
      ['e', 405],
    ])
    const [first, second] = responses
    expect(first?.body).toMatchObject({ isbn: '1', '@odata.context': 'http://shop.example/v1/$metadata#books/$entity' })
    expect(first?.headers).toMatchObject({
      'Content-Type': expect.stringMatching(/^application\/json;/),
      'OData-Version': '4.0',
      'request-id': expect.any(String),
    })
    expect(second?.body).toMatchObject({ error: { code: 'bookNotFound' } })
  })

  it('has header names in lower case for a caller who accepts 4.01', async () => {
    const body = JSON.stringify({ requests: [{ id: '1', method: 'GET', url: '/books/1' }] })
    const headers = { 'content-type': 'application/json', 'odata-maxversion': '4.01' }
    const answer = await responseTo(service(), shopRequest('POST', '/$batch', headers, body))
    const [first] = itemsOf(answer.body, 'responses')
    expect(Object.keys({ ...Object(first?.['headers']) }).filter(name => /[A-Z]/.test(name))).toEqual([])
  })

  it.each(['books/7', '/books/7', '/v1/books/7', 'http://shop.example/v1/books/7', '/books/7?$select=isbn'])(
    'accepts the URL %s',
    async url => {
      expect((await batch([{ id: '1', method: 'GET', url }]))[0]?.status).toBe(200)
    },
  )

  it('encodes the characters of a URL as a request line does', async () => {
    seen.length = 0
    const [answer] = await batch([{ id: '1', method: 'GET', url: "/books/caf\u00e9 🚲?$filter=title eq 'x'" }])
    expect([answer?.status, seen]).toEqual([400, []])
    await batch([{ id: '1', method: 'GET', url: '/books/caf\u00e9 🚲' }])
    expect(seen).toEqual(['caf\u00e9 🚲'])
  })

  it('sends a body as JSON, with or without a content type', async () => {
    const book = { isbn: '5', title: 'T' }
    const responses = await batch([
      { id: '1', method: 'POST', url: '/books', body: book },
      { id: '2', method: 'POST', url: '/books', headers: { 'Content-Type': 'application/json' }, body: book },
      { id: '3', method: 'POST', url: '/books', headers: { 'Content-Type': 'text/plain' }, body: 'T' },
      { id: '4', method: 'POST', url: '/books' },
    ])
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 415, 415])
    expect(responses[0]?.body).toMatchObject(book)
  })

  it('waits for dependencies, and skips a request whose dependency failed', async () => {
    seen.length = 0
    const responses = await batch([
      { id: '1', method: 'POST', url: '/books', body: { isbn: '1', title: 'T' } },
      { id: '2', method: 'GET', url: '/books/2', dependsOn: ['1'] },
      { id: '3', method: 'GET', url: '/books/none', dependsOn: ['2'] },
      { id: '4', method: 'GET', url: '/books/4', dependsOn: ['1', '3'] },
      { id: '5', method: 'GET', url: '/books/5', dependsOn: ['4'] },
    ])
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 404, 424, 424])
    expect(responses[3]?.body).toEqual({
      error: {
        code: 'FailedDependency',
        message: 'The request was not sent because request "3", which it depends on, failed.',
      },
    })
    expect(seen).toEqual(['create 1', '2', 'none'])
  })

  it('passes its credential to requests without their own', async () => {
    const asked: unknown[] = []
    await batch(
      [
        { id: '1', method: 'GET', url: '/books/1' },
        { id: '2', method: 'GET', url: '/books/1', headers: { Authorization: 'Bearer other' } },
      ],
      {
        authenticate: ({ headers }) => {
          asked.push(headers.get('Authorization'))
          return { id: 'clerk', scopes: [] }
        },
      },
    )
    expect(asked).toEqual(['Bearer t', 'Bearer t', 'Bearer other'])
  })

  it.each<[rule: string, body: unknown, target: string]>([
    ['no list', {}, 'requests'],
    ['no object', [], 'requests'],
    ['too many requests', { requests: Array.from({ length: 21 }, (_, id) => get(String(id))) }, 'requests'],
    ['a request that is no object', { requests: [null] }, 'requests/0'],
    ['no id', { requests: [{ ...get(''), id: undefined }] }, 'requests/0/id'],
    ['an empty id', { requests: [get('')] }, 'requests/0/id'],
    ['an id that is a number', { requests: [{ ...get(''), id: 1 }] }, 'requests/0/id'],
    ['the same id twice, in any case', { requests: [get('a'), get('A')] }, 'requests/1/id'],
    ['another method', { requests: [{ ...get('1'), method: 'OPTIONS' }] }, 'requests/0/method'],
    ['a method that is no text', { requests: [{ ...get('1'), method: { toString: null } }] }, 'requests/0/method'],
    ['no URL', { requests: [{ id: '1', method: 'GET' }] }, 'requests/0/url'],
    ['a URL elsewhere', { requests: [{ ...get('1'), url: 'http://elsewhere.example/v1/books' }] }, 'requests/0/url'],
    [
      'a URL without scheme elsewhere',
      { requests: [{ ...get('1'), url: '//elsewhere.example/books' }] },
      'requests/0/url',
    ],
    ['half a character', { requests: [{ ...get('1'), url: '/books/\ud800' }] }, 'requests/0/url'],
    ['a batch', { requests: [{ id: '1', method: 'POST', url: '/$batch' }] }, 'requests/0/url'],
    ['a batch, encoded', { requests: [{ id: '1', method: 'POST', url: '/v1/%24batch?x' }] }, 'requests/0/url'],
    ['a batch behind dots', { requests: [{ id: '1', method: 'POST', url: '/x/../$batch' }] }, 'requests/0/url'],
    ['a batch behind encoded dots', { requests: [{ id: '1', method: 'POST', url: '%2e/$batch' }] }, 'requests/0/url'],
    ['a batch behind backslashes', { requests: [{ id: '1', method: 'POST', url: 'x\\..\\$batch' }] }, 'requests/0/url'],
    ['dots that lead out of the service', { requests: [{ ...get('1'), url: '../healthz' }] }, 'requests/0/url'],
    [
      'a dependency on what comes later',
      { requests: [{ ...get('1'), dependsOn: ['2'] }, get('2')] },
      'requests/0/dependsOn',
    ],
    ['a dependency on itself', { requests: [{ ...get('1'), dependsOn: ['1'] }] }, 'requests/0/dependsOn'],
    ['a dependency that is no list', { requests: [get('1'), { ...get('2'), dependsOn: '1' }] }, 'requests/1/dependsOn'],
    ['an unknown member', { requests: [{ ...get('1'), if: '1' }] }, 'requests/0/if'],
    ['headers that are no object', { requests: [{ ...get('1'), headers: ['a'] }] }, 'requests/0/headers'],
    ['a header that cannot be', { requests: [{ ...get('1'), headers: { a: 'b\r\nc: d' } }] }, 'requests/0/headers'],
  ])('with %s is rejected completely', async (_rule, json, target) => {
    seen.length = 0
    const { status, body } = await responseTo(service(), shopRequest('POST', '/$batch', {}, json))
    expect([status, body]).toMatchObject([400, { error: { code: 'invalidBody', details: [{ target }] } }])
    expect(seen).toEqual([])
  })

  it('has no more than 50 problems in its answer', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`x${index}`, 1]))
    const json = { requests: [{ ...get('1'), ...unknown }] }
    const { status, body } = await responseTo(service(), shopRequest('POST', '/$batch', {}, json))
    expect(status).toBe(400)
    expect(itemsOf(Reflect.get(Object(body), 'error'), 'details')).toHaveLength(50)
  })

  it('runs four requests at a time, in their order', async () => {
    const order: string[] = []
    let running = 0
    let most = 0
    const slow = {
      books: {
        get: async ({ keys }: { keys: { isbn: string } }) => {
          order.push(keys.isbn)
          running += 1
          most = Math.max(most, running)
          // The first ones wait for the others, however busy the machine is.
          for (let turn = 0; turn === 0 || (turn < 1_000 && most < 4); turn++) {
            await new Promise(resolve => setImmediate(resolve))
          }
          running -= 1
          return { isbn: keys.isbn, title: 'T' }
        },
      },
    }
    const requests = Array.from({ length: 12 }, (_, index) => ({
      id: `${index}`,
      method: 'GET',
      url: `/books/${index}`,
    }))
    const { body } = await responseTo(
      shop(slow, {}, shopTable, { batches }),
      shopRequest('POST', '/$batch', {}, { requests }),
    )
    const ids = requests.map(({ id }) => id)
    expect(itemsOf(body, 'responses').map(({ id, status }) => [id, status])).toEqual(ids.map(id => [id, 200]))
    expect([order, most]).toEqual([ids, 4])
  })

  it('runs a request after those that it depends on, also if some of them take long', async () => {
    const ended: string[] = []
    const busy = {
      books: {
        get: async ({ keys }: { keys: { isbn: string } }) => {
          const end = Date.now() + (Number(keys.isbn) % 4 === 0 ? 12 : 0)
          while (Date.now() < end);
          await new Promise(resolve => setImmediate(resolve))
          ended.push(keys.isbn)
          return { isbn: keys.isbn, title: 'T' }
        },
      },
    }
    const requests = Array.from({ length: 12 }, (_, index) => ({
      id: `${index}`,
      method: 'GET',
      url: `/books/${index}`,
      ...(index % 3 === 0 ? {} : { dependsOn: [`${index - 1}`] }),
    }))
    const { body } = await responseTo(
      shop(busy, {}, shopTable, { batches }),
      shopRequest('POST', '/$batch', {}, { requests }),
    )
    expect(itemsOf(body, 'responses').map(({ status }) => status)).toEqual(requests.map(() => 200))
    const late = requests.filter(({ id, dependsOn }) =>
      dependsOn?.some(before => ended.indexOf(before) > ended.indexOf(id)),
    )
    expect(late).toEqual([])
  })

  it('runs no more requests when its responses are too long', async () => {
    const requests = Array.from({ length: 22 }, (_, index) => get(`${index}`)).map(({ id, url }) => ({
      id,
      url,
      method: 'GET',
    }))
    seen.length = 0
    const large = { ...shopTable, limits: { ...shopTable.limits, body: 10_000 } }
    const { body } = await responseTo(
      shop(handlers, { limits: { batchBytes: 2_000, batchRequests: 30 } }, large, { batches }),
      shopRequest('POST', '/$batch', {}, { requests: requests.slice(0, 15) }),
    )
    const responses = itemsOf(body, 'responses')
    const refused = responses.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    const sent = responses.filter(({ status }) => status === 200)
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.reduce((sum, each) => sum + JSON.stringify(each['body']).length, 0)).toBeLessThanOrEqual(2_000)
    // Those that ran at the same time as the first one that did not fit.
    expect(seen.length - sent.length).toBeLessThanOrEqual(4)
    expect(JSON.stringify(refused[0])).toContain('the limit batchBytes, which is 2000')
  })

  it.each<[rule: string, status: number, headers: Record<string, string>, body: string]>([
    ['of another format', 415, { 'content-type': 'multipart/form-data;boundary=b' }, '--b--'],
    ['without its last boundary', 400, { 'content-type': 'multipart/mixed;boundary=b' }, '--b'],
    ['that is no JSON', 400, {}, '{'],
    ['that is too long', 413, {}, ' '.repeat(shopTable.limits.body + 1)],
  ])('%s is rejected', async (_rule, expected, headers, body) => {
    expect((await responseTo(service(), shopRequest('POST', '/$batch', headers, body))).status).toBe(expected)
  })

  const group = (id: string, path: string): object => ({ id, method: 'DELETE', url: path, atomicityGroup: 'g' })

  it('refuses an atomicity group of several requests with 501 without the option atomically, and runs nothing', async () => {
    seen.length = 0
    const requests = [{ id: '0', method: 'GET', url: '/books/1' }, group('1', '/books/1'), group('2', '/books/2')]
    const { status, body } = await responseTo(service(), shopRequest('POST', '/$batch', {}, { requests }))
    expect([status, body]).toMatchObject([501, { error: { message: expect.stringContaining('no transactions') } }])
    expect(seen).toEqual([])
  })

  it('runs a group of one request without transactions', async () => {
    expect(await batch([{ ...get('1'), atomicityGroup: 'g' }])).toMatchObject([{ status: 200, atomicityGroup: 'g' }])
  })

  it('runs a group with the contexts that the option atomically creates, and rejects its work if a request fails', async () => {
    const log: unknown[] = []
    const own = {
      books: {
        get: ({
          keys,
          context,
          fail,
        }: {
          keys: { isbn: string }
          context: unknown
          fail: (error: string) => never
        }) => {
          log.push([keys.isbn, context])
          return keys.isbn === 'none' ? fail('bookNotFound') : { isbn: keys.isbn, title: 'T' }
        },
      },
    }
    let transactions = 0
    const options: Partial<ServiceOptions<unknown>> = {
      context: () => 'no transaction',
      atomically: async work => {
        const transaction = `transaction ${++transactions}`
        try {
          const result = await work((head, { id }) => `${transaction} of ${id}, ${head.method}`)
          log.push(`commit ${transaction}`)
          return result
        } catch (error) {
          log.push(`roll back ${transaction}`)
          throw error
        }
      },
    }
    const inGroup = (id: string, isbn: string, atomicityGroup: string): object => ({
      id,
      method: 'GET',
      url: `/books/${isbn}`,
      atomicityGroup,
    })
    const requests = [
      { id: '0', method: 'GET', url: '/books/0' },
      inGroup('1', '1', 'a'),
      inGroup('2', '2', 'a'),
      inGroup('3', '3', 'b'),
      inGroup('4', 'none', 'b'),
    ]
    const answer = await responseTo(
      shop(own, options, shopTable, { batches }),
      shopRequest('POST', '/$batch', {}, { requests }),
    )
    expect(itemsOf(answer.body, 'responses').map(({ status }) => status)).toEqual([200, 200, 200, 424, 404])
    expect(log).toEqual([
      ['0', 'no transaction'],
      ['1', 'transaction 1 of clerk, GET'],
      ['2', 'transaction 1 of clerk, GET'],
      'commit transaction 1',
      ['3', 'transaction 2 of clerk, GET'],
      ['none', 'transaction 2 of clerk, GET'],
      'roll back transaction 2',
    ])
  })

  it('reads and answers multipart bodies, with every byte of a text', async () => {
    const part = ['Content-Type: application/http', 'Content-ID: a', '']
    const sent = { isbn: '7', title: 'Grüße, 世界' }
    const lines = [
      '--b',
      ...part,
      'POST /books HTTP/1.1',
      'Content-Type: application/json',
      '',
      JSON.stringify(sent),
      '--b--',
    ]
    const headers = { 'content-type': 'multipart/mixed;boundary=b' }
    const answer = await service()(shopRequest('POST', '/$batch', headers, lines.join('\r\n')))
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^multipart\/mixed/),
    ])
    expect(text).toMatch(/Content-ID: a\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
    expect(text).toContain('"title":"Grüße, 世界"')
  })

  it('is 404 in a service without the part batches', async () => {
    const answer = await responseTo(shop(handlers), shopRequest('POST', '/$batch', {}, { requests: [] }))
    expect(answer.status).toBe(404)
  })

  it('is required of a service with the feature batch', () => {
    const table = { ...shopTable, features: ['batch'] as const }
    expect(() => shop(handlers, {}, table)).toThrow('createService(..., { batches })')
  })

  it('requires a credential', async () => {
    const request = new Request('http://shop.example/v1/$batch', { method: 'POST', body: '{"requests":[]}' })
    expect((await responseTo(service(), request)).status).toBe(401)
  })
})

function get(id: string): Record<string, unknown> {
  return { id, method: 'GET', url: '/books/1' }
}

it('the responses of a batch are the same whether bodies are text or bytes', () => {
  const texts = [
    ['application/json;charset=utf-8', '{"title":"é😀"}'],
    ['application/json', '[]'],
    ['text/plain', 'a "b"\n'],
  ] as const
  const responses = (isText: boolean): readonly BatchResponse[] =>
    texts.map(([type, text], index) => ({
      request: {
        id: String(index),
        method: 'GET',
        url: { kind: 'target', target: '/v1/books' },
        headers: new Map(),
        body: undefined,
        dependsOn: [],
        group: index === 0 ? 'g' : undefined,
      },
      response: {
        status: 200,
        headers: { 'content-type': type },
        body: isText ? text : new TextEncoder().encode(text).buffer,
      },
    }))
  const text = printJsonBatch(responses(true), true)
  const bytes = printJsonBatch(responses(false), true)
  expect(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)).toBe(text)
  expect(JSON.parse(String(text))).toMatchObject({
    responses: [{ atomicityGroup: 'g', body: { title: 'é😀' } }, {}, {}],
  })
})
