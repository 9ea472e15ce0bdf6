/** Lets requests begin no faster than allowed, and no more at once. */
interface RateLimiter {
  /**
   * Resolves when a request may begin, or the signal ends the wait.
   *
   * @param until a time of the clock; the wait is not begun when it would last as long
   * @returns what to call when the request has ended; absent when it may begin only then, or later
   */
  readonly acquire: (until: number, signal: AbortSignal | undefined) => Promise<(() => void) | undefined>
  /** Nothing begins for so many milliseconds. */
  readonly backOff: (milliseconds: number) => void
}

/**
 * @param rate requests a second; absent: no limit
 * @param concurrency requests at once
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
        // Another answer may have asked for a longer wait meanwhile.
        if (held <= start || signal?.aborted === true) return ended
      }
    },
    backOff: milliseconds => {
      held = Math.max(held, now() + milliseconds)
    },
  }
}

/** Milliseconds that a timer takes at most; a longer one would end at once. */
const maxTimeout = 2 ** 31 - 1

/** Waits; ends early, without an error, when the signal says so. */
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
