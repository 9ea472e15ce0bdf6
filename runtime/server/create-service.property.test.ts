import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printQueryOptions } from '../query/print-options.js'
import { queryOptionsArbitrary } from '../query/testing/query-options-arbitrary.js'
import type { AnyCall } from './handler.js'
import type { ServerRequest } from './http/message.js'
import { shop } from './testing/shop.js'
import { shopTable } from './testing/shop-table.js'

const service = shop({
  books: {
    list: ({ query }: AnyCall) => ({ value: [{ isbn: '1' }], ...(query.count === true ? { count: 1 } : {}) }),
    create: ({ body }: AnyCall) => body,
    get: ({ keys }: AnyCall) => ({ ...keys, title: 'T' }),
    update: ({ body }: AnyCall) => body,
    replace: ({ body }: AnyCall) => body,
    delete: () => undefined,
    count: () => 1,
    delta: () => ({ value: [], deltaToken: 'x' }),
    author: { get: () => null },
    reviews: { list: () => ({ value: [], count: 0 }) },
  },
  copies: { get: ({ keys }: AnyCall) => keys, create: ({ body }: AnyCall) => body },
  me: {
    get: () => ({ id: '1' }),
    recommend: () => [],
    follow: ({ parameters }: AnyCall) => parameters['ids'],
    reset: () => undefined,
  },
  people: { list: () => ({ value: [{ '@odata.type': '#shop.writer' }], count: 1 }) },
})

/** Valid and invalid parts of request targets. A server can receive any bytes, before a URL parser normalizes them. */
const piece = fc.oneof(
  fc.constantFrom(
    '/v1',
    '/books',
    '/copies',
    '/me',
    '/people',
    '/$count',
    '/delta()',
    '/recommend(since=',
    '/follow',
    '/',
    '//',
  ),
  fc.constantFrom(
    "('1')",
    "(isbn='1',number=2)",
    '(',
    ')',
    "'",
    '@p',
    '%00',
    '%zz',
    '%C3',
    '%2F',
    '..',
    '\\',
    '?',
    '&',
    '=',
    '#',
  ),
  fc.constantFrom(
    '$filter=',
    '$select=isbn,',
    '$expand=author(',
    '$top=',
    '$count=true',
    '$search=',
    '$format=json',
    '$skiptoken=',
  ),
  fc.constantFrom('title eq ', 'contains(title,', "'x'", ' and ', 'null', '9'.repeat(30), 'constructor', '__proto__'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const target = fc.array(piece, { maxLength: 12 }).map(pieces => `/v1${pieces.join('')}`)
const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE', 'x', '')
const headerValue = fc.oneof(
  fc.constantFrom(
    '*',
    '"1"',
    'W/"1',
    'application/json',
    'application/json;q=0',
    'text/plain',
    'return=minimal',
    '4.01',
    'eventual',
  ),
  fc.string({ maxLength: 20 }),
)
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'content-type',
    'content-encoding',
    'prefer',
    'if-match',
    'if-none-match',
    'odata-maxversion',
    'consistencylevel',
    'client-request-id',
  ),
  headerValue,
)
const body = fc.oneof(
  fc.json().map(text => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 30 }),
  fc.constant(new TextEncoder().encode('{"isbn":"1","title":"T","ids":[]}')),
)

function serverRequest(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Uint8Array,
): ServerRequest {
  const all = new Map(Object.entries({ authorization: 'x', ...headers }))
  return {
    head: {
      method,
      url: `http://x${target}`,
      headers: { get: name => all.get(name.toLowerCase()) ?? null },
      signal: new AbortController().signal,
    },
    origin: 'http://x',
    target,
    readBody: async limit => (body.byteLength > limit ? 'tooLarge' : body),
  }
}

const declared = new Set(
  [...Object.values(shopTable.faults), ...Object.values(shopTable.errors)].map(error => error.code),
)

async function expectDeclared(request: ServerRequest): Promise<void> {
  const { status, headers, body } = await service.handle(request)
  expect(headers['request-id']).toBeDefined()
  if (status < 400) return
  const { error } = JSON.parse(String(body))
  expect([declared.has(error.code), status, typeof error.message]).toEqual([true, status, 'string'])
  expect([status < 500, error]).toEqual([true, error])
}

it('the service responds to any request with a success or a declared client error', async () => {
  await fc.assert(
    fc.asyncProperty(method, target, headers, body, (...request) => expectDeclared(serverRequest(...request))),
    { numRuns: 3000 },
  )
})

it('the service responds to any valid query with a page or a declared error', async () => {
  const path = fc.constantFrom(
    '/v1/books',
    '/v1/books/1',
    '/v1/people',
    '/v1/books/$count',
    '/v1/books/delta',
    '/v1/me/recommend',
  )
  await fc.assert(
    fc.asyncProperty(path, queryOptionsArbitrary, (path, options) =>
      expectDeclared(
        serverRequest(
          'GET',
          `${path}?${printQueryOptions(options)}`,
          { consistencylevel: 'eventual' },
          new Uint8Array(),
        ),
      ),
    ),
    { numRuns: 1000 },
  )
})

it('the service responds to Request and ServerRequest alike', async () => {
  await fc.assert(
    fc.asyncProperty(fc.webPath(), fc.webQueryParameters(), async (path, query) => {
      const response = await service(
        new Request(`http://x/v1/books${path}?${query}`, { headers: { authorization: 'x' } }),
      )
      expect(response.status).toBeLessThan(500)
    }),
    { numRuns: 300 },
  )
})
