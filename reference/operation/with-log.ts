import type { Answering } from './answering.js'
import { logLine, pathOf } from './log-format.js'

/** Where a log goes, and by which clocks. */
export interface RequestLog {
  readonly format: 'json' | 'pretty'
  readonly write: (line: string) => void
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  readonly date: () => Date
}

/**
 * Writes a line for each request: when, what, how it ended, how long it took. Neither credentials nor queries nor bodies
 * are in it. Health probes are left out while all is well.
 */
export function withLog(answer: Answering, { format, write, now, date }: RequestLog): Answering {
  return async incoming => {
    const began = now()
    const outgoing = await answer(incoming)
    const path = pathOf(incoming.target)
    const { status, headers } = outgoing
    if (path === '/healthz' && status === 200) return outgoing
    const method = pathOf(incoming.head.method)
    const requestId = headers['request-id']
    write(logLine(format, { time: date(), method, path, status, milliseconds: now() - began, requestId }))
    return outgoing
  }
}
