import { describe, expect, it } from 'vitest'
import type { TestResponse } from './message.js'
import { openTarget } from './sender.js'
import { BudgetExhausted, createTransport, type Transport, type TransportOptions } from './transport.js'

const answering = (
  respond: (request: Request, number: number) => Response | Promise<Response>,
  options: Partial<TransportOptions> = {},
): Transport & { readonly seen: Request[] } => {
  const seen: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    seen.push(request)
    return respond(request, seen.length)
  }
  const transport = createTransport({
    target: openTarget(fetch, 'v1.0'),
    requests: 100,
    time: 60_000,
    timeout: 1_000,
    concurrency: 4,
    now: () => performance.now(),
    ...options,
  })
  return { ...transport, seen }
}

const get = (transport: Transport, path = '/things'): Promise<TestResponse> => transport.send({ method: 'GET', path })

describe('a request', () => {
  it('carries the credential, which the response does not show', async () => {
    const transport = answering(() => Response.json({}), { token: 'secret', headers: { 'x-tenant': 'hidden' } })
    const response = await get(transport)
    expect(transport.seen[0]?.headers.get('authorization')).toBe('Bearer secret')
    expect(JSON.stringify(response)).not.toMatch(/secret|hidden/)
  })

  it('can omit the credential, or send an invalid one', async () => {
    const headers = { authorization: 'Basic abc', 'x-api-key': 'k', 'x-tenant': 't' }
    const transport = answering(() => Response.json({}), { headers })
    await transport.send({ method: 'GET', path: '/', credential: 'none' })
    await transport.send({ method: 'GET', path: '/', credential: 'broken' })
    expect(transport.seen.map(({ headers: sent }) => sent.get('authorization'))).toEqual([null, 'Bearer not-a-token'])
    expect(transport.seen.map(({ headers: sent }) => sent.get('x-api-key'))).toEqual([null, null])
    expect(transport.seen[0]?.headers.get('x-tenant')).toBe('t')
  })

  it('is sent again after the delay of a 429, or of a 503 with Retry-After', async () => {
    const transport = answering((_, number) =>
      number < 3
        ? new Response('', { status: number === 1 ? 429 : 503, headers: { 'retry-after': '0' } })
        : Response.json({}),
    )
    expect(await get(transport)).toMatchObject({ status: 200 })
    expect(transport.requestsSent()).toBe(3)
  })

  it('treats a 503 without Retry-After as final', async () => {
    expect(await get(answering(() => new Response('', { status: 503 })))).toMatchObject({ status: 503 })
  })

  it('is sent once more if its connection breaks, and then fails', async () => {
    const broken = answering(() => Promise.reject(new TypeError('connection reset')))
    expect(await get(broken)).toMatchObject({ status: 0, transportError: 'unreachable' })
    expect(broken.requestsSent()).toBe(2)
    const posting = answering(() => Promise.reject(new TypeError('connection reset')))
    expect(await posting.send({ method: 'POST', path: '/', body: {} })).toMatchObject({ transportError: 'unreachable' })
    expect(posting.requestsSent()).toBe(1)
  })

  it('times out, even if the target function never returns', async () => {
    const response = await get(answering(() => new Promise(() => {}), { timeout: 20 }))
    expect(response).toMatchObject({ status: 0, transportError: 'timeout' })
  })

  it.each([
    ['follows redirects within the origin', '/v1.0/other', 200, 2],
    ['does not follow redirects to another host, so the credential stays', 'http://elsewhere.invalid/', 302, 1],
  ])('whose redirect %s', async (_, location, status, sent) => {
    const transport = answering(
      ({ url }) =>
        url.endsWith('/things') ? new Response(null, { status: 302, headers: { location } }) : Response.json({}),
      { token: 'secret' },
    )
    expect(await get(transport)).toMatchObject({ status })
    expect(transport.seen).toHaveLength(sent)
  })

  it('fails on endless redirects', async () => {
    const transport = answering(({ url }) => new Response(null, { status: 302, headers: { location: `${url}x` } }))
    expect(await get(transport)).toMatchObject({ transportError: 'tooManyRedirects' })
  })

  it('reads a body of ten million bytes, and fails on a far longer one', async () => {
    const long = (size: number): Response => Response.json({ text: 'x'.repeat(size) })
    expect(await get(answering(() => long(10_000_000)))).toMatchObject({ status: 200 })
    expect(await get(answering(() => long(70_000_000)))).toMatchObject({ transportError: 'tooLarge' })
  })

  it('accepts any response', async () => {
    expect(await get(answering(() => new Response('{"a":')))).not.toHaveProperty('json')
    expect(await get(answering(() => new Response('<html>')))).toMatchObject({ text: '<html>' })
    expect(await get(answering(() => new Response(null, { status: 204 })))).toMatchObject({ status: 204, text: '' })
  })
})

describe('the budget', () => {
  it('ends when the requests are used up', async () => {
    const transport = answering(() => Response.json({}), { requests: 2 })
    await get(transport)
    await get(transport)
    expect(transport.requestsLeft()).toBe(0)
    await expect(get(transport)).rejects.toThrow(BudgetExhausted)
    expect(transport.seen).toHaveLength(2)
  })

  it('ends with the time, and with the signal', async () => {
    let now = 0
    const transport = answering(() => Response.json({}), { time: 10, now: () => now })
    await get(transport)
    now = 11
    await expect(get(transport)).rejects.toThrow(BudgetExhausted)
    const stop = new AbortController()
    const stopped = answering(() => Response.json({}), { signal: stop.signal })
    stop.abort()
    await expect(get(stopped)).rejects.toThrow(BudgetExhausted)
    stopped.grantCleanUpBudget(1, 1_000)
    expect(await get(stopped)).toMatchObject({ status: 200 })
  })

  it.each([1, 90])('ends when a service asks for a delay of %d s, beyond the end of the time', async seconds => {
    const busy = (): Response => new Response('', { status: 429, headers: { 'retry-after': `${seconds}` } })
    const reading = answering(busy, { time: seconds * 900 })
    await expect(get(reading)).rejects.toMatchObject({ name: 'BudgetExhausted', budget: 'time' })
    await expect(get(reading)).rejects.toThrow(BudgetExhausted)
    expect(reading.seen).toHaveLength(1)
    const writing = answering(busy, { time: seconds * 900 })
    expect(await writing.send({ method: 'POST', path: '/', body: {} })).toMatchObject({ status: 429 })
    await expect(get(writing)).rejects.toThrow(BudgetExhausted)
    expect(writing.seen).toHaveLength(1)
  })

  it('delays requests after the last retry, too, and when cleaning up', async () => {
    const transport = answering(
      (_, number) => new Response('', { status: 429, headers: { 'retry-after': number < 7 ? '0' : '30' } }),
    )
    expect(await get(transport)).toMatchObject({ status: 429 })
    expect(transport.seen).toHaveLength(7)
    transport.grantCleanUpBudget(10, 20_000)
    await expect(get(transport)).rejects.toThrow(BudgetExhausted)
    expect(transport.seen).toHaveLength(7)
  })

  it('ends requests in flight without blaming the service', async () => {
    // So long that a busy machine sends the request before the time is over.
    const hanging = (): Transport => answering(() => new Promise(() => {}), { time: 500, timeout: 60_000 })
    await expect(get(hanging())).rejects.toMatchObject({ budget: 'time', reason: 'no response within 1 s' })
    const writing = hanging()
    expect(await writing.send({ method: 'POST', path: '/', body: {} })).toMatchObject({ transportError: 'interrupted' })
    await expect(get(writing)).rejects.toThrow(BudgetExhausted)
  })

  it('limits concurrent requests', async () => {
    let running = 0
    let most = 0
    const transport = answering(
      async () => {
        most = Math.max(most, ++running)
        await new Promise(resolve => setTimeout(resolve, 1))
        running--
        return Response.json({})
      },
      { concurrency: 2 },
    )
    await Promise.all(Array.from({ length: 10 }, () => get(transport)))
    expect(most).toBe(2)
  })
})
