/** Who a write belongs to, and what it takes of the memory while it waits. */
export interface WriteTurn {
  /** The id of the principal; empty: the service itself, or callers of a service without authentication. */
  readonly principal: string
  /** The bytes of its body. */
  readonly bytes: number
}

/** The bytes of the bodies of one principal's writes that may wait. */
export const maxWaitingBytes = 16 * 1024 * 1024

/** The principals whose work is remembered when nothing of them waits. */
const maxRemembered = 10_000

interface Line<Job> {
  readonly jobs: { readonly job: Job; readonly bytes: number }[]
  bytes: number
  /** The work of the principal when its next job starts, in milliseconds. */
  work: number
}

/** A write whose turn it is. */
export interface NextWrite<Job> {
  readonly job: Job
  /** Adds the milliseconds that it took to the work of its principal. */
  readonly charge: (milliseconds: number) => void
}

/**
 * Jobs that wait. The next one is that of the principal with the least work, so that a principal with long writes gets fewer
 * turns. A principal without jobs saves no turns: it begins with the work of the principal whose turn it was last.
 *
 * @see P. Goyal, H. M. Vin, H. Cheng, Start-time Fair Queueing, SIGCOMM 1996
 */
export interface WriteQueue<Job> {
  /** @returns false, and adds nothing, if too much of the principal waits */
  readonly add: (job: Job, turn: WriteTurn) => boolean
  /** Removes and returns the next job. Returns undefined if there is none, or if its body has more bytes. */
  readonly next: (mostBytes?: number) => NextWrite<Job> | undefined
  readonly isEmpty: () => boolean
}

/** @param most the number of jobs of one principal that may wait */
export function createWriteQueue<Job>(most: number): WriteQueue<Job> {
  // In the order of their last turns, which decides between principals with equal work.
  const lines = new Map<string, Line<Job>>()
  const ended = new Map<string, number>()
  let now = 0
  return {
    add: (job, { principal, bytes }) => {
      const line = lines.get(principal) ?? { jobs: [], bytes: 0, work: Math.max(now, ended.get(principal) ?? 0) }
      if (line.jobs.length >= most || (line.jobs.length > 0 && line.bytes + bytes > maxWaitingBytes)) return false
      line.jobs.push({ job, bytes })
      line.bytes += bytes
      lines.set(principal, line)
      ended.delete(principal)
      return true
    },
    next: (mostBytes = Number.POSITIVE_INFINITY) => {
      let least: readonly [string, Line<Job>] | undefined
      for (const each of lines) if (least === undefined || each[1].work < least[1].work) least = each
      if (least === undefined) return undefined
      const [principal, line] = least
      const [first] = line.jobs
      if (first === undefined || first.bytes > mostBytes) return undefined
      line.jobs.shift()
      lines.delete(principal)
      now = line.work
      line.bytes -= first.bytes
      if (line.jobs.length > 0) lines.set(principal, line)
      else remember(ended, principal, line.work, now)
      const charge = (milliseconds: number): void => {
        const waiting = lines.get(principal)
        if (waiting !== undefined) waiting.work += milliseconds
        else remember(ended, principal, (ended.get(principal) ?? now) + milliseconds, now)
      }
      return { job: first.job, charge }
    },
    isEmpty: () => lines.size === 0,
  }
}

/** Remembers the work of a principal until others have done as much. */
function remember(ended: Map<string, number>, principal: string, work: number, now: number): void {
  if (ended.size >= maxRemembered) for (const [each, before] of ended) if (before <= now) ended.delete(each)
  if (ended.size >= maxRemembered) ended.clear()
  ended.set(principal, work)
}
