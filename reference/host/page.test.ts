import { describe, expect, it } from 'vitest'
import type { ServerResponse } from '../../runtime/server/index.js'
import { fromWebRequest } from '../../runtime/server/web-adapter.js'
import { withCors } from './cors.js'
import { pageHeaders, withPage } from './page.js'

const service: ServerResponse = { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '{}' }
const page = {
  assets: new Map([
    ['/', async () => ({ type: 'text/html', body: '<h1>Things</h1>' })],
    ['/openapi.json', async () => ({ type: 'application/json', body: '{}' })],
  ]),
  isVisible: () => true,
}
const answer = withPage(
  withCors(async () => service, ['*']),
  page,
)
const request = (path: string, init: RequestInit = {}): Promise<ServerResponse> =>
  answer(fromWebRequest(new Request(`http://127.0.0.1:8080${path}`, init)))

describe('withPage', () => {
  it.each(['GET', 'HEAD'])('answers %s without a credential, with its policy and an entity tag', async method => {
    const { status, headers } = await request('/', { method })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ ...pageHeaders, 'content-type': 'text/html' })
    expect(headers['etag']).toMatch(/^"[\w-]{43}"$/)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s and lists the allowed methods', async method => {
    const { status, headers } = await request('/', { method })
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it.each<[accept: string | undefined, status: number]>([
    [undefined, 200],
    ['', 200],
    ['*/*', 200],
    ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 200],
    ['text/*', 200],
    ['application/json', 401],
    ['application/json, text/html;q=0', 401],
    ['application/json, text/html;q=0, */*', 401],
    ['nonsense', 401],
  ])('leaves / to the service if the caller does not accept HTML: %s', async (accept, status) => {
    expect((await request('/', { headers: accept === undefined ? {} : { accept } })).status).toBe(status)
  })

  it('returns the OpenAPI document for any Accept header', async () => {
    expect((await request('/openapi.json', { headers: { accept: 'application/json' } })).status).toBe(200)
  })

  it.each(['/v1.0', '/v1.0/', '/$page', '/page', '/openapi.json/', '//'])('leaves %s to the service', async path => {
    expect((await request(path)).status).toBe(401)
  })

  it('ignores the query of the page', async () => {
    expect((await request('/?x=1')).status).toBe(200)
  })

  it('shares nothing across origins, even if the service does', async () => {
    const headers = { origin: 'https://evil.example' }
    expect((await request('/v1.0', { headers })).headers).toHaveProperty('access-control-allow-origin')
    for (const path of ['/', '/openapi.json']) {
      expect((await request(path, { headers })).headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('answers 304 if the caller has the current version', async () => {
    const { headers } = await request('/')
    const again = await request('/', { headers: { 'if-none-match': `"other", ${headers['etag']}` } })
    expect([again.status, again.body]).toEqual([304, undefined])
    expect((await request('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('does not exist for callers that may not see it', async () => {
    const hidden = withPage(async () => service, { ...page, isVisible: () => false })
    expect(await hidden(fromWebRequest(new Request('http://127.0.0.1/')))).toBe(service)
  })
})
