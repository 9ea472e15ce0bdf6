import { describe, expect, it } from 'vitest'
import type { HttpRequest } from './connection.js'
import { type AsyncOptions, respondingAsync } from './responding-async.js'
import { recordingFetch, type SentRequest } from './testing/recording-fetch.js'

const url = 'https://service.example/v1/books'
const monitor = '/v1/$async/1'
const accepted = (location = monitor, seconds?: string): Response =>
  new Response(null, {
    status: 202,
    headers: { location, ...(seconds === undefined ? {} : { 'retry-after': seconds }) },
  })
const result = (status: number, body: string | null = '{"value":[]}'): Response =>
  new Response(body, { status: 200, headers: { 'content-type': 'application/json', asyncresult: String(status) } })
const enclosed = (text: string): Response => new Response(text, { headers: { 'content-type': 'application/http' } })

/** Sends a request, with a clock that moves while the client waits. */
async function run(
  answers: readonly Response[],
  options: AsyncOptions = {},
  { method = 'GET', signal = null }: Partial<HttpRequest> = {},
): Promise<{ readonly outcome: unknown; readonly sent: readonly SentRequest[]; readonly pauses: readonly number[] }> {
  const { fetch, sent } = recordingFetch(...answers)
  const pauses: number[] = []
  let time = 0
  const pause = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds)
    time += milliseconds
    signal?.throwIfAborted()
  }
  const headers = new Headers({ authorization: 'Bearer t', 'if-match': '*', prefer: 'return=minimal' })
  const request: HttpRequest = { method, headers, body: method === 'GET' ? null : '{}', signal }
  const outcome = await respondingAsync(fetch, { pause, now: () => time, ...options })(url, request).then(
    async response => [response.status, await response.text()],
    (error: unknown) => String(error),
  )
  return { outcome, sent, pauses }
}

describe('a fetch that prefers to respond asynchronously', () => {
  it('asks the status monitor until the request has ended', async () => {
    const { outcome, sent, pauses } = await run([accepted(), accepted(monitor, '5'), result(200)])
    expect([outcome, pauses]).toEqual([
      [200, '{"value":[]}'],
      [1000, 5000],
    ])
    const address = 'https://service.example/v1/$async/1'
    expect(sent.map(each => [each.method, each.url])).toEqual([
      ['GET', url],
      ['GET', address],
      ['GET', address],
    ])
    expect(sent[0]?.headers).toMatchObject({ prefer: 'return=minimal, respond-async', 'if-match': '*' })
    expect(sent[1]?.headers).toEqual({ authorization: 'Bearer t' })
  })

  it.each([
    ['its own status', result(404, '{}'), [404, '{}']],
    ['no body', result(204, null), [204, '']],
    ['an enclosed response', enclosed('HTTP/1.1 201 Created\r\nx: y\r\n\r\n{"a":"\u00fc"}'), [201, '{"a":"\u00fc"}']],
    ['an enclosed error', enclosed('HTTP/1.1 409 \r\nx: y\r\n\r\n'), [409, '']],
    ['a response without AsyncResult', new Response('{}', { status: 500 }), [500, '{}']],
  ])('returns a result with %s', async (_, last, expected) => {
    expect((await run([accepted(), last])).outcome).toEqual(expected)
  })

  it('returns a response that comes at once, also 202 without a monitor', async () => {
    expect((await run([new Response('{}')])).outcome).toEqual([200, '{}'])
    expect((await run([new Response(null, { status: 202 })])).outcome).toEqual([202, ''])
  })

  it('sends the preferred wait, and leaves other requests alone', async () => {
    const waiting = await run([new Response('{}')], { wait: 5 })
    expect(waiting.sent[0]?.headers['prefer']).toBe('return=minimal, respond-async, wait=5')
    const other = await run([accepted()], { when: (_, { method }) => method === 'POST' })
    expect([other.outcome, other.sent[0]?.headers['prefer']]).toEqual([[202, ''], 'return=minimal'])
  })

  it('cancels the request after its limit', async () => {
    const { outcome, sent } = await run([accepted(), accepted(), accepted()], { limit: 2_500 }, { method: 'POST' })
    expect(outcome).toBe('Error: The request has not ended after 2500 ms.')
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'DELETE'])
  })

  it('cancels the request when the call is aborted', async () => {
    const { outcome, sent } = await run([accepted()], {}, { signal: AbortSignal.abort(new Error('enough')) })
    expect(outcome).toBe('Error: enough')
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
  })

  it('sends its credential to no other origin', async () => {
    const { outcome, sent } = await run([accepted('https://other.example/monitor')])
    expect([outcome, sent]).toEqual([expect.stringContaining('TypeError: Expected a status monitor like'), [sent[0]]])
  })
})
