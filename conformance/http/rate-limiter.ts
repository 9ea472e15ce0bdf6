/** Limits the request rate and the number of concurrent requests. */
interface RateLimiter {
  /**
   * Waits until a request may start or the signal aborts.
   *
   * @param until clock time; returns at once if the wait would last until then
   * @returns a function to call when the request ends; absent if the request cannot start before `until`
   */
  readonly acquire: (until: number, signal: AbortSignal | undefined) => Promise<(() => void) | undefined>
  /** Delays all further requests by this many milliseconds. */
  readonly backOff: (milliseconds: number) => void
}

/**
 * @param rate requests per second; no limit if absent
 * @param concurrency maximum concurrent requests
 */
export function createRateLimiter(rate: number | undefined, concurrency: number, now: () => number): RateLimiter {
  const waiting: (() => void)[] = []
  let running = 0
  let free = now()
  let held = now()
  const ended = (): void => {
    running--
    waiting.shift()?.()
  }
  return {
    acquire: async (until, signal) => {
      while (running >= concurrency) await new Promise<void>(resolve => waiting.push(resolve))
      running++
      for (;;) {
        const start = Math.max(free, held, now())
        if (start >= until) {
          ended()
          return undefined
        }
        if (rate !== undefined) free = start + 1000 / rate
        await pause(start - now(), signal)
        // Another response may have extended the wait meanwhile.
        if (held <= start || signal?.aborted === true) return ended
      }
    },
    backOff: milliseconds => {
      held = Math.max(held, now() + milliseconds)
    },
  }
}

/** Maximum delay of a timer in milliseconds; a longer one would fire at once. */
const maxTimeout = 2 ** 31 - 1

/** Waits. Returns early, without an error, when the signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0 && signal?.aborted !== true; left -= maxTimeout) {
    await sleep(Math.min(left, maxTimeout), signal)
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timeout = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
  })
}
