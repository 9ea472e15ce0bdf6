import { describe, expect, it } from 'vitest'
import { createDirectory } from '../src/api/client.js'
import { explain } from '../src/explain.js'

const answering = (fetch: () => Promise<Response>) =>
  createDirectory({ baseUrl: 'https://directory.example/v1.0', fetch }).me.get()

describe('the message for a failed call', () => {
  it.each([
    [
      "the service's own words",
      async () => Response.json({ error: { code: 'TooManyRequests', message: 'Wait a little.' } }, { status: 429 }),
      'The service answers 429 TooManyRequests: Wait a little.',
    ],
    [
      'that the network failed, and why',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
      'No answer: fetch failed (connect ECONNREFUSED)',
    ],
    [
      'that it took too long',
      () => Promise.reject(new DOMException('The operation timed out.', 'TimeoutError')),
      'No answer in time.',
    ],
  ])('is %s', async (_, fetch, message) => {
    expect(await answering(fetch).then(() => 'an answer', explain)).toBe(message)
  })
})
