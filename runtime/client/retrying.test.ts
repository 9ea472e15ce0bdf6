import { describe, expect, it } from 'vitest'
import type { HttpRequest } from './connection.js'
import { type RetryOptions, retryAfter, retrying, sleep } from './retrying.js'
import { recordingFetch } from './testing/recording-fetch.js'

const now = Date.parse('2024-01-31T12:00:00Z')
const status = (code: number, retry?: string): Response =>
  new Response(null, { status: code, headers: retry === undefined ? {} : { 'retry-after': retry } })

const run = async (method: string, responses: readonly (Response | Error)[], options: RetryOptions = {}) => {
  const pauses: number[] = []
  const { fetch, sent } = recordingFetch(...responses)
  const request: HttpRequest = { method, headers: new Headers(), body: null, signal: null }
  const send = retrying(fetch, {
    wait: async pause => {
      pauses.push(pause)
    },
    random: () => 0.5,
    now: () => now,
    ...options,
  })
  const outcome = await send('https://service.example', request).then(
    response => response.status,
    error => String(error),
  )
  return { outcome, pauses, attempts: sent.length }
}

const failure = new TypeError('fetch failed')

describe('a retrying fetch', () => {
  it.each<[string, string, readonly (Response | Error)[], RetryOptions, object]>([
    ['returns a success', 'GET', [status(200)], {}, { outcome: 200, pauses: [], attempts: 1 }],
    ['returns other errors', 'GET', [status(500)], {}, { outcome: 500, pauses: [], attempts: 1 }],
    ['retries when throttled', 'POST', [status(429), status(201)], {}, { outcome: 201, pauses: [250], attempts: 2 }],
    ['retries when the service is unavailable', 'PATCH', [status(503), status(200)], {}, { outcome: 200, attempts: 2 }],
    [
      'doubles its delay',
      'GET',
      [status(429), status(429), status(429), status(200)],
      {},
      { pauses: [250, 500, 1000] },
    ],
    ['limits its delay', 'GET', [status(429), status(429), status(200)], { maxDelay: 600 }, { pauses: [250, 300] }],
    ['honours Retry-After in seconds', 'GET', [status(429, '10'), status(200)], {}, { pauses: [10_250], outcome: 200 }],
    [
      'honours Retry-After as a date',
      'GET',
      [status(503, 'Wed, 31 Jan 2024 12:00:30 GMT'), status(200)],
      {},
      {
        pauses: [30_250],
      },
    ],
    ['ignores a malformed Retry-After', 'GET', [status(429, 'soon'), status(200)], {}, { pauses: [250] }],
    ['gives up if the requested delay is too long', 'GET', [status(429, '61')], {}, { outcome: 429, attempts: 1 }],
    ['gives up after the last attempt', 'GET', [1, 2, 3, 4].map(() => status(429)), {}, { outcome: 429, attempts: 4 }],
    ['sends once if attempts is 1', 'GET', [status(429)], { attempts: 1 }, { outcome: 429, attempts: 1 }],
    ['retries a read when the network fails', 'GET', [failure, status(200)], {}, { outcome: 200, attempts: 2 }],
    ['retries a delete when the network fails', 'DELETE', [failure, status(204)], {}, { outcome: 204, attempts: 2 }],
    [
      'never retries a create when the network fails',
      'POST',
      [failure],
      {},
      {
        outcome: 'TypeError: fetch failed',
        attempts: 1,
      },
    ],
    ['never retries a patch when the network fails', 'PATCH', [failure], {}, { attempts: 1 }],
    [
      'rejects with the last failure',
      'GET',
      [failure, failure],
      { attempts: 2 },
      {
        outcome: 'TypeError: fetch failed',
        attempts: 2,
      },
    ],
  ])('%s', async (_, method, responses, options, expected) => {
    expect(await run(method, responses, options)).toMatchObject(expected)
  })

  it('stops when the call is aborted', async () => {
    const controller = new AbortController()
    const { fetch, sent } = recordingFetch(() => {
      controller.abort(new Error('enough'))
      return status(429)
    })
    const request: HttpRequest = { method: 'GET', headers: new Headers(), body: null, signal: controller.signal }
    await expect(retrying(fetch)('https://service.example', request)).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  it('does not retry a request that was aborted while it was sent', async () => {
    const controller = new AbortController()
    controller.abort(new Error('enough'))
    const { fetch, sent } = recordingFetch(new Error('enough'))
    const request: HttpRequest = { method: 'GET', headers: new Headers(), body: null, signal: controller.signal }
    await expect(retrying(fetch)('https://service.example', request)).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })
})

describe('Retry-After', () => {
  it.each([
    [null, undefined],
    ['0', 0],
    ['120', 120_000],
    ['Wed, 31 Jan 2024 12:00:01 GMT', 1000],
    ['Wed, 31 Jan 2024 11:00:00 GMT', 0],
    ['-1x', undefined],
    ['', undefined],
  ])('%j requests a delay of %s ms', (header, milliseconds) => {
    expect(retryAfter(header, now)).toBe(milliseconds)
  })
})

describe('a delay', () => {
  it('ends after its time', async () => {
    await expect(sleep(0, null)).resolves.toBeUndefined()
    await expect(sleep(0, new AbortController().signal)).resolves.toBeUndefined()
  })

  it('ends immediately when it is aborted', async () => {
    const controller = new AbortController()
    const pause = sleep(1e9, controller.signal)
    controller.abort(new Error('enough'))
    await expect(pause).rejects.toThrow('enough')
    await expect(sleep(1e9, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  })
})
