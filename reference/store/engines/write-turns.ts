/** Who a write belongs to, and what it takes of the memory while it waits. */
export interface WriteTurn {
  /** The id of the principal; empty: the service itself, or callers of a service without authentication. */
  readonly principal: string
  /** The bytes of its body. */
  readonly bytes: number
}

/** The bytes of the bodies of one principal's writes that may wait. */
export const maxWaitingBytes = 16 * 1024 * 1024

interface Line<Job> {
  readonly jobs: { readonly job: Job; readonly bytes: number }[]
  bytes: number
}

/** Jobs that wait. Principals take turns: nobody waits for more than one job of each other principal. */
export interface WriteQueue<Job> {
  /** @returns false, and adds nothing, if too much of the principal waits */
  readonly add: (job: Job, turn: WriteTurn) => boolean
  /** Removes the next job. */
  readonly next: () => Job | undefined
  readonly isEmpty: () => boolean
}

/** @param most the number of jobs of one principal that may wait */
export function createWriteQueue<Job>(most: number): WriteQueue<Job> {
  // A map keeps the order in which principals get their next turn.
  const lines = new Map<string, Line<Job>>()
  return {
    add: (job, { principal, bytes }) => {
      const line = lines.get(principal) ?? { jobs: [], bytes: 0 }
      if (line.jobs.length >= most || (line.jobs.length > 0 && line.bytes + bytes > maxWaitingBytes)) return false
      line.jobs.push({ job, bytes })
      line.bytes += bytes
      lines.set(principal, line)
      return true
    },
    next: () => {
      for (const [principal, line] of lines) {
        const first = line.jobs.shift()
        lines.delete(principal)
        line.bytes -= first?.bytes ?? 0
        if (line.jobs.length > 0) lines.set(principal, line)
        return first?.job
      }
      return undefined
    },
    isEmpty: () => lines.size === 0,
  }
}
