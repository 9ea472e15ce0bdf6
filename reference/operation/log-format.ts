import type { RequestHead } from '../../runtime/server/index.js'

/** `json`: one object a line; `pretty`: for people; `off`: none. */
export type LogFormat = 'json' | 'pretty' | 'off'

/** One request that was answered. */
export interface LogEntry {
  readonly time: Date
  readonly method: string
  /** Without the query, which may hold personal data. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** The response's `request-id`. */
  readonly requestId: string | undefined
}

/** A line of the log, without its end. */
export function logLine(format: 'json' | 'pretty', entry: LogEntry): string {
  const { time, method, path, status, requestId } = entry
  const milliseconds = Math.round(entry.milliseconds * 100) / 100
  if (format === 'json') {
    return JSON.stringify({ time: time.toISOString(), level: 'info', method, path, status, milliseconds, requestId })
  }
  const clock = time.toISOString().slice(11, 23)
  return `${clock} ${method.padEnd(6)} ${status} ${milliseconds.toFixed(1).padStart(8)} ms  ${path}`
}

/** The line of an error that callers see as an internal one only. */
export function errorLine(format: 'json' | 'pretty', time: Date, head: RequestHead, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { method } = head
  const path = pathOf(head.url.slice(head.url.indexOf('/', head.url.indexOf('://') + 3)))
  if (format === 'json') {
    return JSON.stringify({ time: time.toISOString(), level: 'error', method, path, error: stack })
  }
  return `${time.toISOString().slice(11, 23)} ${method.padEnd(6)} error ${path}\n${stack}`
}

const longestPath = 256

/** The path of a request target, in visible ASCII, so that no caller writes into the log what it likes. */
export function pathOf(target: string): string {
  const path = target.includes('?') ? target.slice(0, target.indexOf('?')) : target
  const visible = path.replaceAll(/[^\x21-\x7e]/g, '?')
  return visible.length > longestPath ? `${visible.slice(0, longestPath)}…` : visible
}
