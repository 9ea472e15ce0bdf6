import type { Fetch } from './connection.js'

/** When a request is sent again, and after how long. */
export interface RetryOptions {
  /** How often a request is sent at most. Default: 4. */
  readonly attempts?: number | undefined
  /** Milliseconds: the longest pause before the second attempt, doubled before each further one. Default: 500. */
  readonly delay?: number | undefined
  /** Milliseconds: a service that asks for a longer pause gets no further attempt. Default: 60,000. */
  readonly maxDelay?: number | undefined
  /** Waits so many milliseconds; rejects with the signal's reason when it is aborted meanwhile. Default: a timer. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal | null) => Promise<void>) | undefined
  /** From 0 to less than 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** May be sent twice with the same effect. @see RFC 9110, 9.2.2 */
const idempotent = /^(GET|HEAD|PUT|DELETE)$/

/**
 * A `fetch` that sends requests again that were throttled (429) or met a service unavailable (503); when the network
 * failed, only those that may be sent twice. It pauses for as long as `Retry-After` says, otherwise for a random part of
 * a delay that doubles, so that many clients do not come back at once. After the last attempt the answer, or the failure
 * of the network, is passed on as it is.
 *
 * @see RFC 9110, 10.2.3 (Retry-After); RFC 6585, 4 (429)
 */
export const retrying = (fetch: Fetch = globalThis.fetch, options: RetryOptions = {}): Fetch => {
  const { attempts = 4, delay = 500, maxDelay = 60_000, wait = sleep, random = Math.random, now = Date.now } = options
  const backoff = (attempt: number): number => random() * Math.min(delay * 2 ** (attempt - 1), maxDelay)

  /** Milliseconds to pause before the next attempt; undefined: the answer stands. */
  const pauseAfter = (response: Response, attempt: number): number | undefined => {
    if (response.status !== 429 && response.status !== 503) return undefined
    const asked = retryAfter(response.headers.get('retry-after'), now())
    if (asked === undefined) return backoff(attempt)
    return asked > maxDelay ? undefined : asked + random() * delay
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
 * Milliseconds that a `Retry-After` asks for, told in seconds or as a date; undefined when it is absent or malformed.
 *
 * @see RFC 9110, 10.2.3
 */
export const retryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Waits so many milliseconds. Rejects with the signal's reason when it is aborted, before or meanwhile. */
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
