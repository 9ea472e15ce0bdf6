import { pause } from './pause.js'

/** Lets requests begin no faster than allowed, and no more at once. */
export interface Pace {
  /**
   * Resolves when a request may begin, or the signal ends the wait.
   *
   * @param until a time of the clock; the wait is not begun when it would last as long
   * @returns what to call when the request has ended; absent when it may begin only then, or later
   */
  readonly begin: (until: number, signal: AbortSignal | undefined) => Promise<(() => void) | undefined>
  /** Nothing begins for so many milliseconds. */
  readonly hold: (milliseconds: number) => void
}

/**
 * @param rate requests a second; absent: no limit
 * @param concurrency requests at once
 */
export function createPace(rate: number | undefined, concurrency: number, now: () => number): Pace {
  const waiting: (() => void)[] = []
  let running = 0
  let free = now()
  let held = now()
  const ended = (): void => {
    running--
    waiting.shift()?.()
  }
  return {
    begin: async (until, signal) => {
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
    hold: milliseconds => {
      held = Math.max(held, now() + milliseconds)
    },
  }
}
