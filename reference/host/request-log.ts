import type { RequestHead } from '../../runtime/server/index.js'
import type { HttpHandler } from './middleware.js'

/** Where a log goes, and which clocks it uses. */
interface RequestLog {
  readonly format: 'json' | 'pretty'
  readonly write: (line: string) => void
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  readonly date: () => Date
  /** The identifier of the trace of the request that is being answered, if there is one. */
  readonly traceId?: () => string | undefined
}

/**
 * Logs a line for each request: time, method, path, status and duration. The log never contains credentials, queries or
 * bodies. Successful health checks are not logged.
 */
export function withLog(answer: HttpHandler, { format, write, now, date, traceId }: RequestLog): HttpHandler {
  return async incoming => {
    const began = now()
    const outgoing = await answer(incoming)
    const path = pathOf(incoming.target)
    const { status, headers } = outgoing
    if (path === '/healthz' && status === 200) return outgoing
    const method = pathOf(incoming.head.method)
    const requestId = headers['request-id']
    write(
      logLine(format, {
        time: date(),
        method,
        path,
        status,
        milliseconds: now() - began,
        requestId,
        traceId: traceId?.(),
      }),
    )
    return outgoing
  }
}

/** `json`: one object per line; `pretty`: for people; `off`: no log. */
export type LogFormat = 'json' | 'pretty' | 'off'

/** One answered request. */
interface LogEntry {
  readonly time: Date
  readonly method: string
  /** Without the query, which may contain personal data. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** The `request-id` header of the response. */
  readonly requestId: string | undefined
  readonly traceId: string | undefined
}

/** One line of the log, without its line end. */
function logLine(format: 'json' | 'pretty', entry: LogEntry): string {
  const { time, method, path, status, requestId, traceId } = entry
  const milliseconds = Math.round(entry.milliseconds * 100) / 100
  if (format === 'json') {
    const line = { time: time.toISOString(), level: 'info', method, path, status, milliseconds, requestId, traceId }
    return JSON.stringify(line)
  }
  const clock = time.toISOString().slice(11, 23)
  return `${clock} ${method.padEnd(6)} ${status} ${milliseconds.toFixed(1).padStart(8)} ms  ${path}`
}

/** The log line of an unexpected error. Callers see only that there was an internal error. */
export function errorLine(
  format: 'json' | 'pretty',
  time: Date,
  head: RequestHead,
  error: unknown,
  requestId?: string,
): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { method } = head
  const path = pathOf(head.url.slice(head.url.indexOf('/', head.url.indexOf('://') + 3)))
  if (format === 'json') {
    return JSON.stringify({ time: time.toISOString(), level: 'error', method, path, requestId, error: stack })
  }
  // No line of the stack begins like a line of the log.
  return [`${time.toISOString().slice(11, 23)} ${method.padEnd(6)} error ${path}`, ...stack.split('\n')].join('\n    ')
}

/** The log line of an error of the server itself, such as a connection that it could not accept. */
export function serverErrorLine(format: 'json' | 'pretty', time: Date, message: string): string {
  if (format === 'json') return JSON.stringify({ time: time.toISOString(), level: 'error', error: message })
  return `${time.toISOString().slice(11, 23)} error  ${message}`
}

const longestPath = 256

/** The path of a request target, limited to visible ASCII, so that no caller can forge log lines. */
function pathOf(target: string): string {
  const path = target.includes('?') ? target.slice(0, target.indexOf('?')) : target
  const visible = path.replaceAll(/[^\x21-\x7e]/g, '?')
  return visible.length > longestPath ? `${visible.slice(0, longestPath)}…` : visible
}
