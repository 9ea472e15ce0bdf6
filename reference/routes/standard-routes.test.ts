import { describe, expect, it, vi } from 'vitest'
import type { ServiceOptions } from '../../runtime/server/index.js'
import { responseTo, shop, shopRequest } from '../../runtime/server/testing/shop.js'
import { shopTable } from '../../runtime/server/testing/shop-table.js'
import { standardRoutes } from './standard-routes.js'

const metadata = { xml: () => '<edmx/>', json: async () => '{"$Version":"4.01"}' }
let healthy = true
const extraRoutes = standardRoutes(shopTable, metadata, async () => {
  if (healthy) return true
  throw new Error('postgres://user:secret@host is down')
})

const handlers = {
  books: {
    list: () => ({ items: [{ isbn: '1', title: 'A' }] }),
    get: ({ keys, fail }: { keys: { isbn: string }; fail: (error: string) => never }) => {
      return keys.isbn === 'none' ? fail('bookNotFound') : { isbn: keys.isbn, title: 'T' }
    },
  },
}
const service = (options: Partial<ServiceOptions<unknown>> = {}) => shop(handlers, { extraRoutes, ...options })

describe('the service document', () => {
  it.each(['', '/'])('at %j lists the entry points', async path => {
    const { status, headers, body } = await responseTo(service(), shopRequest('GET', path))
    expect(status).toBe(200)
    expect(headers.get('odata-version')).toBe('4.0')
    expect(body).toMatchObject({ '@odata.context': 'http://shop.example/v1/$metadata' })
    expect(body).toHaveProperty('value', expect.arrayContaining([{ name: 'books', kind: 'EntitySet', url: 'books' }]))
  })

  it('has links that work', async () => {
    const { body } = await responseTo(service(), shopRequest('GET', ''))
    for (const { url } of itemsOf(body, 'value')) {
      expect((await responseTo(service(), shopRequest('GET', `/${String(url)}`))).status, String(url)).not.toBe(404)
    }
  })

  it('requires a credential, and supports GET only', async () => {
    expect((await responseTo(service(), new Request('http://shop.example/v1'))).status).toBe(401)
    const refused = await responseTo(service(), shopRequest('DELETE', ''))
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('$metadata', () => {
  const xml = ['application/xml;charset=utf-8', '<edmx/>']
  const json = ['application/json;charset=utf-8', { $Version: '4.01' }]

  it.each<[query: string, accept: string | undefined, expected: readonly unknown[]]>([
    ['', undefined, xml],
    ['', '*/*', xml],
    ['', 'application/xml', xml],
    ['', 'application/json', json],
    ['', 'application/json;odata.metadata=minimal', json],
    ['', 'application/json;q=0.5, application/xml', xml],
    ['', 'application/xml;q=0.1, */*', json],
    ['', 'text/html, application/*;q=0.8', xml],
    ['?$format=json', undefined, json],
    ['?$format=json', 'application/xml', json],
    ['?$format=application/xml', 'application/json', xml],
    ['?%24format=application%2Fjson', undefined, json],
    ['?format=XML', 'application/json', xml],
  ])('is returned for %j and Accept %j', async (query, accept, expected) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const answer = await responseTo(service(), shopRequest('GET', `/$metadata${query}`, headers))
    expect(answer.status).toBe(200)
    expect([answer.headers.get('content-type'), answer.body]).toEqual(expected)
  })

  it.each<[query: string, accept: string]>([
    ['', 'text/html'],
    ['', 'application/json;q=0'],
    ['?$format=yaml', '*/*'],
  ])('is not acceptable for %j and Accept %j', async (query, accept) => {
    const { status, body } = await responseTo(service(), shopRequest('GET', `/$metadata${query}`, { accept }))
    expect([status, body]).toMatchObject([406, { error: { code: 'notAcceptable' } }])
  })

  it.each([
    [undefined, 200, '4.0'],
    ['4.0', 200, '4.0'],
    ['4.02', 200, '4.01'],
    ['3.0', 406, '4.0'],
  ])('for OData-MaxVersion %s is %i of version %s', async (version, status, expected) => {
    const headers: Record<string, string> = version === undefined ? {} : { 'odata-maxversion': version }
    const answer = await responseTo(service(), shopRequest('GET', '/$metadata', headers))
    expect([answer.status, answer.headers.get('odata-version')]).toEqual([status, expected])
    expect((await responseTo(service(), shopRequest('GET', '', headers))).status).toBe(status)
  })

  it('accepts an encoded dollar sign', async () => {
    expect((await responseTo(service(), shopRequest('GET', '/%24metadata'))).body).toBe('<edmx/>')
  })
})

describe('/healthz', () => {
  const probe = () => responseTo(service(), new Request('http://shop.example/healthz'))

  it('needs no credential', async () => {
    expect(await probe()).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('reports a store that does not answer', async () => {
    vi.useFakeTimers()
    const silent = () => new Promise<boolean>(() => undefined)
    const stuck = shop(handlers, { extraRoutes: standardRoutes(shopTable, metadata, silent) })
    const answer = responseTo(stuck, new Request('http://shop.example/healthz'))
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    expect(await answer).toMatchObject({ status: 503, body: { status: 'unavailable' } })
  })

  it('reports a store that fails, without details', async () => {
    healthy = false
    try {
      expect(await probe()).toMatchObject({ status: 503, body: { status: 'unavailable' } })
    } finally {
      healthy = true
    }
  })
})

/** The objects of a list in a body. */
function itemsOf(body: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return Array.isArray(list) ? list : []
}
