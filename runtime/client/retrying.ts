import type { Fetch } from './connection.js'

/** When and how often to retry a request. */
export interface RetryOptions {
  /** The maximum number of attempts. Default: 4. */
  readonly attempts?: number | undefined
  /** The maximum delay before the second attempt, in milliseconds. It doubles with each attempt. Default: 500. */
  readonly delay?: number | undefined
  /** If a service requests a longer delay, in milliseconds, the request is not retried. Default: 60,000. */
  readonly maxDelay?: number | undefined
  /** Waits for the given milliseconds. Rejects with the signal's reason if the signal aborts. Default: a timer. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal | null) => Promise<void>) | undefined
  /** From 0 to less than 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** Idempotent methods. @see RFC 9110, 9.2.2 */
const idempotent = /^(GET|HEAD|PUT|DELETE)$/

/**
 * A `fetch` that retries requests that were throttled (429) or that found the service unavailable (503). After a
 * network failure, it retries only idempotent requests. It waits as long as `Retry-After` says, otherwise for a random
 * part of a delay that doubles with each attempt, so that clients don't all retry at the same time. After the last
 * attempt, it returns the response, or rejects with the network failure.
 *
 * @see RFC 9110, 10.2.3 (Retry-After); RFC 6585, 4 (429)
 */
export const retrying = (fetch: Fetch = globalThis.fetch, options: RetryOptions = {}): Fetch => {
  const { attempts = 4, delay = 500, maxDelay = 60_000, wait = sleep, random = Math.random, now = Date.now } = options
  const backoff = (attempt: number): number => random() * Math.min(delay * 2 ** (attempt - 1), maxDelay)

  /** Milliseconds to wait before the next attempt. Undefined: return this response. */
  const pauseAfter = (response: Response, attempt: number): number | undefined => {
    if (response.status !== 429 && response.status !== 503) return undefined
    const requested = retryAfter(response.headers.get('retry-after'), now())
    if (requested === undefined) return backoff(attempt)
    return requested > maxDelay ? undefined : requested + random() * delay
  }

  return async (url, request) => {
    for (let attempt = 1; attempt < attempts; attempt += 1) {
      let pause: number | undefined
      try {
        const response = await fetch(url, request)
        pause = pauseAfter(response, attempt)
        if (pause === undefined) return response
        await response.body?.cancel()
      } catch (failure) {
        if (request.signal?.aborted || !idempotent.test(request.method)) throw failure
        pause = backoff(attempt)
      }
      await wait(pause, request.signal)
    }
    return fetch(url, request)
  }
}

/**
 * The delay of a `Retry-After` header in milliseconds. The header holds seconds or a date. Undefined if it is absent or
 * malformed.
 *
 * @see RFC 9110, 10.2.3
 */
export const retryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Waits for the given milliseconds. Rejects with the signal's reason if the signal is aborted or aborts while waiting.
 */
export const sleep = (milliseconds: number, signal: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
