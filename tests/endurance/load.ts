import { setTimeout as delay } from 'node:timers/promises'
import type { Outcome } from './workload.js'

/** What happened in a part of the run. */
export interface LoadWindow {
  readonly seconds: number
  readonly answered: number
  readonly perSecond: number
  /** Milliseconds from the time at which a request was due, not at which it was sent. */
  readonly p50: number
  readonly p99: number
  readonly highest: number
  /** The requests that were not answered as usual, by their outcome, and those that were not sent: too many were in progress. */
  readonly refused: Readonly<Record<string, number>>
  readonly unsent: number
}

/** A load of a fixed rate, whatever the service does. */
export interface OpenLoad {
  /** The next requests become due. */
  readonly resume: () => void
  /** No request is due until {@link resume}. Resolves when none is in progress. */
  readonly pause: () => Promise<void>
  /** What happened since the last call. */
  readonly take: () => LoadWindow
  readonly stop: () => Promise<void>
}

/** How many requests may be in progress before further ones are not sent. */
const maxInProgress = 400
/** Milliseconds between two looks at what is due. */
const pace = 5

/** Sends requests one after the other on a number of lanes. @returns the answered requests a second */
export async function measureCeiling(step: () => Promise<Outcome>, lanes: number, seconds: number): Promise<number> {
  const begun = performance.now()
  const end = begun + seconds * 1000
  let answered = 0
  const run = async (): Promise<void> => {
    while (performance.now() < end) if ((await step()) === 'answered') answered++
  }
  await Promise.all(Array.from({ length: lanes }, run))
  return (answered * 1000) / (performance.now() - begun)
}

/** Starts a paused load. @param rate requests a second */
export function createOpenLoad(step: () => Promise<Outcome>, rate: number): OpenLoad {
  let times: number[] = []
  let refused: Record<string, number> = {}
  let unsent = 0
  let inProgress = 0
  /** When the next request is due; undefined while the load is paused. */
  let due: number | undefined
  let active = 0
  let activeSince = 0
  let windowBegun = performance.now()
  let isStopped = false

  const send = (at: number): void => {
    inProgress++
    void step()
      .catch((error: unknown): Outcome => {
        process.stderr.write(`${String(error)}\n`)
        return 'broken'
      })
      .then(outcome => {
        inProgress--
        if (outcome === 'answered') times.push(performance.now() - at)
        else refused[outcome] = (refused[outcome] ?? 0) + 1
      })
  }
  const timer = setInterval(() => {
    const now = performance.now()
    while (due !== undefined && due <= now) {
      if (inProgress < maxInProgress) send(due)
      else unsent++
      due += 1000 / rate
    }
  }, pace)
  const pause = async (): Promise<void> => {
    if (due !== undefined) active += performance.now() - activeSince
    due = undefined
    while (inProgress > 0) await delay(pace)
  }
  return {
    resume: () => {
      if (isStopped) return
      due = performance.now()
      activeSince = Math.max(due, windowBegun)
    },
    pause,
    take: () => {
      const now = performance.now()
      const seconds = (active + (due === undefined ? 0 : now - activeSince)) / 1000
      const sorted = Float64Array.from(times).sort()
      const quantile = (share: number): number =>
        round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
      const taken: LoadWindow = {
        seconds: round(seconds),
        answered: sorted.length,
        perSecond: round(sorted.length / Math.max(seconds, 0.001)),
        p50: quantile(0.5),
        p99: quantile(0.99),
        highest: quantile(1),
        refused,
        unsent,
      }
      times = []
      refused = {}
      unsent = 0
      active = 0
      activeSince = now
      windowBegun = now
      return taken
    },
    stop: async () => {
      await pause()
      isStopped = true
      clearInterval(timer)
    },
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
