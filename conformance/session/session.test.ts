import { describe, expect, it } from 'vitest'
import type { TestRequest, TestResponse } from '../http/message.js'
import { type Listing, listPages } from './session.js'

const origin = 'http://host'

/** Follows links among pages, by path. */
const list = (pages: (path: string) => unknown, limit = {}): Promise<Listing & { asks?: TestRequest[] }> => {
  const send = async (request: TestRequest): Promise<TestResponse> => {
    const url = request.path.startsWith('/') ? origin + request.path : request.path
    const json = pages(url.slice(origin.length))
    const status = json === undefined ? 404 : 200
    return {
      testRequest: request,
      request: { method: 'GET', url, headers: {} },
      status,
      headers: {},
      text: '',
      json,
      number: 1,
      milliseconds: 1,
    }
  }
  return listPages({ method: 'GET', path: '/a', headers: { prefer: 'x' } }, send, origin, limit)
}

const page = (id: number, next?: string): unknown => ({
  value: [{ id }],
  ...(next === undefined ? {} : { '@odata.nextLink': next }),
})

describe('a list', () => {
  it.each([
    ['absolute links', 'http://host/b'],
    ['links from the root', '/b'],
    ['links that are relative to the page', 'b'],
  ])('is followed through %s', async (_, link) => {
    const listing = await list(path => (path === '/a' ? page(1, link) : page(2)))
    expect(listing).toMatchObject({ end: 'complete', rows: [{ id: 1 }, { id: 2 }] })
    expect(listing.pages[1]?.testRequest.headers).toEqual({ prefer: 'x' })
  })

  it.each<[string, (path: string) => unknown, Listing['end']]>([
    ['an error at once', () => undefined, 'rejected'],
    ['an error on a later page', path => (path === '/a' ? page(1, '/b') : undefined), 'broken'],
    ['no list', () => ({ value: 'x' }), 'broken'],
    ['rows that are not objects', () => ({ value: [1] }), 'broken'],
    ['a link to another host', () => page(1, 'http://elsewhere.invalid/a'), 'crossOrigin'],
    ['an invalid link', () => page(1, 'http://['), 'crossOrigin'],
    ['a repeated link', () => page(1, '/a'), 'endless'],
    ['endless new links to the same rows', path => page(1, `${path}x`), 'endless'],
  ])('with %s: %3$s', async (_, pages, end) => {
    expect(await list(pages)).toMatchObject({ end })
  })

  it('may have short and empty pages', async () => {
    const pages = (path: string): unknown => (path.length < 12 ? { value: [], '@odata.nextLink': `${path}x` } : page(1))
    expect(await list(pages)).toMatchObject({ end: 'complete', rows: [{ id: 1 }] })
  })

  it('is truncated at its limit', async () => {
    let id = 0
    expect(await list(path => page(id++, `${path}x`), { pages: 3 })).toMatchObject({
      end: 'truncated',
      pages: { length: 3 },
    })
    expect(await list(path => page(id++, `${path}x`), { rows: 5 })).toMatchObject({
      end: 'truncated',
      rows: { length: 5 },
    })
  })
})
