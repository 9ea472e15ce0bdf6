import { describe, expect, it } from 'vitest'
import { responseTo, shop, shopHandlers, shopRequest } from './testing/shop.js'
import { shopTable } from './testing/shop-table.js'

const tracking = { ...shopTable, features: ['trackChanges' as const] }
const books = (table: typeof shopTable, prefer: string, query = '') =>
  responseTo(shop(shopHandlers, {}, table), shopRequest('GET', `/books${query}`, { prefer }))

describe('a list with Prefer: track-changes', () => {
  it.each([
    ['odata.track-changes', 'odata.track-changes'],
    ['Track-Changes', 'Track-Changes'],
    ['maxpagesize=5, odata.track-changes', 'odata.track-changes, maxpagesize=5'],
  ])('is answered by the handler of the changes: %s', async (prefer, applied) => {
    const { status, headers, body } = await books(tracking, prefer, '?$select=title')
    expect([status, headers.get('preference-applied'), headers.get('vary')]).toEqual([200, applied, 'Prefer'])
    expect(body).toMatchObject({
      '@odata.deltaLink': 'http://shop.example/v1/books/delta?$select=title&$deltatoken=d1',
      value: [{ isbn: '2', title: 'Emma' }],
    })
  })

  it('answers the token of a delta link, too', async () => {
    const { status, headers, body } = await books(tracking, 'return=minimal', '?$deltatoken=d1')
    expect([status, headers.get('preference-applied')]).toEqual([200, null])
    expect(body).toMatchObject({
      value: [
        { isbn: '9', '@removed': { reason: 'deleted' } },
        { isbn: '1', pages: null },
      ],
    })
  })

  it.each([
    ['the service has no such feature', shopTable, ''],
    ['the page follows one without the preference', tracking, '?$skiptoken=a'],
    ['the changes are not implemented', tracking, '', { ...shopHandlers.books, delta: undefined }],
    [
      'the changes allow fewer options',
      { ...tracking, routes: tracking.routes.map(route => (route.kind === 'delta' ? withoutQuery(route) : route)) },
      '?$top=2',
    ],
    [
      'the caller lacks the scope of the changes',
      {
        ...tracking,
        routes: tracking.routes.map(route => (route.kind === 'delta' ? { ...route, scopes: ['audit'] } : route)),
      },
      '',
    ],
  ])('is an ordinary list if %s', async (_, table, query, handlers: object = shopHandlers.books) => {
    const service = shop({ ...shopHandlers, books: handlers }, {}, table)
    const request = shopRequest('GET', `/books${query}`, { prefer: 'odata.track-changes' })
    const { status, headers, body } = await responseTo(service, request)
    expect([status, headers.get('preference-applied')]).toEqual([200, null])
    expect(body).not.toHaveProperty(['@odata.deltaLink'])
  })
})

function withoutQuery({ query: _, ...route }: (typeof shopTable.routes)[number]): (typeof shopTable.routes)[number] {
  return route
}
