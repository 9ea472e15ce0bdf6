import { describe, expect, it } from 'vitest'
import { asynchronous } from './asynchronous.js'
import type { Service } from './create-service.js'
import type { AnyCall } from './handler.js'
import { dune, responseTo, shop, shopHandlers, shopRequest } from './testing/shop.js'
import { shopTable } from './testing/shop-table.js'

const table = { ...shopTable, features: ['respondAsync' as const] }

/** A shop whose list of books waits until it is released, or the request is cancelled. */
function slowShop(): { readonly service: Service; readonly release: () => void; readonly ended: Promise<string> } {
  let release: () => void = () => {}
  let end: (how: string) => void = () => {}
  const ended = new Promise<string>(resolve => {
    end = resolve
  })
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const list = async ({ signal }: AnyCall): Promise<object> => {
    const aborted = new Promise<void>(resolve => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([gate, aborted])
    end(signal.aborted ? 'cancelled' : 'done')
    return { value: [dune], count: 1 }
  }
  const handlers = { ...shopHandlers, books: { ...shopHandlers.books, list } }
  return { service: shop(handlers, {}, table, { asynchronous }), release, ended }
}

const prefer: Record<string, string> = { prefer: 'respond-async', 'odata-maxversion': '4.01' }
const get = (service: Service, path: string, headers: Record<string, string> = prefer, method = 'GET') =>
  responseTo(service, shopRequest(method, path, headers))

/** The path of the monitor in a response, below the root of the service. */
function monitorOf({ headers }: { readonly headers: Headers }): string {
  const location = headers.get('location') ?? ''
  expect(location).toMatch(/^http:\/\/shop\.example\/v1\/\$async\/[0-9a-f-]{36}$/)
  return location.slice('http://shop.example/v1'.length)
}

/** The response of a monitor once its request has ended. */
async function resultOf(service: Service, monitor: string, headers = prefer): ReturnType<typeof get> {
  const response = await get(service, monitor, headers)
  if (response.status !== 202) return response
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  return resultOf(service, monitor, headers)
}

describe('a request with Prefer: respond-async', () => {
  it('gets the URL of a monitor, which has the response when the request has ended', async () => {
    const { service, release, ended } = slowShop()
    const started = await get(service, '/books')
    expect([started.status, started.headers.get('preference-applied'), started.body]).toEqual([
      202,
      'respond-async',
      '',
    ])
    const monitor = monitorOf(started)
    const running = await get(service, monitor)
    expect([running.status, running.headers.get('retry-after'), monitorOf(running)]).toEqual([202, '1', monitor])
    release()
    expect(await ended).toBe('done')
    const finished = await resultOf(service, monitor)
    expect([finished.status, finished.headers.get('asyncresult')]).toEqual([200, '200'])
    expect(finished.body).toMatchObject({ value: [{ isbn: '1' }] })
    expect((await get(service, monitor)).status).toBe(200)
  })

  it('gets the response enclosed in a message of HTTP, in version 4.0 or if it accepts that', async () => {
    const { service, release, ended } = slowShop()
    const monitor = monitorOf(await get(service, '/books'))
    release()
    await ended
    for (const headers of [{ 'odata-maxversion': '4.0' }, { ...prefer, accept: 'application/http' }]) {
      const finished = await resultOf(service, monitor, headers)
      expect([finished.status, finished.headers.get('content-type')]).toEqual([200, 'application/http'])
      expect(finished.headers.get('asyncresult')).toBeNull()
      expect(finished.body).toMatch(
        /^HTTP\/1\.1 200 \r\n[\s\S]*content-type: application\/json[\s\S]*\r\n\r\n\{"@odata/,
      )
    }
  })

  it('has a monitor that reports an error, too', async () => {
    const service = shop(shopHandlers, {}, table, { asynchronous })
    const monitor = monitorOf(await get(service, '/books/9'))
    const finished = await resultOf(service, monitor)
    expect([finished.status, finished.headers.get('asyncresult')]).toEqual([200, '404'])
    expect(finished.body).toMatchObject({ error: { code: expect.any(String) } })
  })

  it('keeps its body', async () => {
    const service = shop(shopHandlers, {}, table, { asynchronous })
    const created = shopRequest('POST', '/books', prefer, { isbn: '5', title: 'Five' })
    const finished = await resultOf(service, monitorOf(await responseTo(service, created)))
    expect([finished.headers.get('asyncresult'), finished.headers.get('location')]).toEqual([
      '201',
      'http://shop.example/v1/books/5',
    ])
  })

  it('is cancelled by DELETE of its monitor', async () => {
    const { service, ended } = slowShop()
    const monitor = monitorOf(await get(service, '/books'))
    expect((await get(service, monitor, prefer, 'DELETE')).status).toBe(204)
    expect(await ended).toBe('cancelled')
    expect((await get(service, monitor)).status).toBe(404)
    expect((await get(service, monitor, prefer, 'DELETE')).status).toBe(404)
  })

  it('is answered at once if it ends within the preferred wait', async () => {
    const service = shop(shopHandlers, {}, table, { asynchronous })
    const { status, headers } = await get(service, '/books', { prefer: 'respond-async, wait=30' })
    expect([status, headers.get('preference-applied')]).toEqual([200, null])
  })

  it.each([
    ['the caller is unknown', { authorization: '' }, {}, 401],
    ['the service has no such feature', {}, { features: [] }, 200],
  ])('is answered at once if %s', async (_, headers, changes, status) => {
    const authenticate = ({ headers: given }: { headers: { get(name: string): string | null } }) =>
      given.get('authorization') === '' ? undefined : { id: 'clerk', scopes: ['write'] }
    const service = shop(shopHandlers, { authenticate }, { ...table, ...changes }, { asynchronous })
    expect((await get(service, '/books', { ...prefer, ...headers })).status).toBe(status)
  })

  it('is answered at once if the caller has ten running requests', async () => {
    const { service, release } = slowShop()
    for (let count = 0; count < 10; count++) expect((await get(service, '/books')).status).toBe(202)
    expect((await get(service, '/me')).status).toBe(200)
    release()
  })

  it('is answered at once if ten others of the caller arrive at the same time', async () => {
    const { service, release } = slowShop()
    const responses = Array.from({ length: 14 }, () => get(service, '/books'))
    release()
    const statuses = (await Promise.all(responses)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(4).fill(200), ...Array(10).fill(202)])
  })

  it('has a monitor for its own caller only, which allows no other methods', async () => {
    const authenticate = ({ headers }: { headers: { get(name: string): string | null } }) => ({
      id: headers.get('authorization') ?? '',
      scopes: ['write'],
    })
    const service = shop(shopHandlers, { authenticate }, table, { asynchronous })
    const monitor = monitorOf(await get(service, '/books'))
    expect((await get(service, monitor, { ...prefer, authorization: 'Bearer other' })).status).toBe(404)
    expect((await resultOf(service, monitor)).status).toBe(200)
    expect((await get(service, monitor, prefer, 'POST')).status).toBe(405)
    expect((await get(service, '/$async/nothing')).status).toBe(404)
  })
})
