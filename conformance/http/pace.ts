import { pause } from './pause.js'

/** Lets requests begin no faster than allowed, and no more at once. */
export interface Pace {
  /** Resolves when a request may begin; call what it gives when the request has ended. */
  readonly begin: () => Promise<() => void>
  /** Nothing begins for so many milliseconds. */
  readonly hold: (milliseconds: number) => void
}

/**
 * @param rate requests a second; absent: no limit
 * @param concurrency requests at once
 */
export function createPace(
  rate: number | undefined,
  concurrency: number,
  now: () => number,
  signal: AbortSignal | undefined,
): Pace {
  const waiting: (() => void)[] = []
  let running = 0
  let free = now()
  const ended = (): void => {
    running--
    waiting.shift()?.()
  }
  return {
    begin: async () => {
      while (running >= concurrency) await new Promise<void>(resolve => waiting.push(resolve))
      running++
      const start = Math.max(free, now())
      if (rate !== undefined) free = start + 1000 / rate
      await pause(start - now(), signal)
      return ended
    },
    hold: milliseconds => {
      free = Math.max(free, now() + milliseconds)
    },
  }
}
