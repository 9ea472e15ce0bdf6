import { describe, expect, it } from 'vitest'
import type { ServerRequest } from '../../runtime/server/index.js'
import { withRefusedOrigins } from './middleware.js'

const request = (
  origin: string,
  method = 'OPTIONS',
  asks: Readonly<Record<string, string>> = asking,
): ServerRequest => ({
  origin: 'http://localhost',
  target: '/v1/notes',
  head: {
    method,
    url: 'http://localhost/v1/notes',
    headers: new Headers({ origin, ...asks }),
    signal: new AbortController().signal,
  },
  readBody: async () => new Uint8Array(),
})
const asking = { 'access-control-request-method': 'GET' }

/** The origins that are reported for requests. */
async function reported(allowed: readonly string[], requests: readonly ServerRequest[]): Promise<readonly string[]> {
  const found: string[] = []
  const answer = withRefusedOrigins(
    async () => ({ status: 401, headers: {}, body: undefined }),
    allowed,
    origin => void found.push(origin),
  )
  for (const each of requests) expect((await answer(each)).status).toBe(401)
  return found
}

describe('a preflight request that is refused', () => {
  it('is reported once for each origin', async () => {
    const app = request('https://app.example')
    expect(await reported([], [app, app, request('http://localhost:5173')])).toEqual([
      'https://app.example',
      'http://localhost:5173',
    ])
  })

  it('is not reported for an origin that is allowed, for other requests, or for what is no origin', async () => {
    expect(await reported(['https://app.example'], [request('https://app.example')])).toEqual([])
    expect(await reported(['*'], [request('https://app.example')])).toEqual([])
    expect(
      await reported([], [request('https://app.example', 'GET'), request('https://app.example', 'OPTIONS', {})]),
    ).toEqual([])
    expect(await reported([], [request('null'), request('https://a b'), request('javascript:alert(1)')])).toEqual([])
  })

  it('is reported for ten origins at most', async () => {
    const many = Array.from({ length: 30 }, (_, index) => request(`https://app${index}.example`))
    expect(await reported([], many)).toHaveLength(10)
  })
})
