import type { Fetch, HttpRequest } from './connection.js'
import { throwTypeError } from './errors.js'
import { retryAfter, sleep } from './retrying.js'

/** How long to wait for the result of a long-running request. */
export interface AsyncOptions {
  /** The longest time to wait, in milliseconds. Then the request is cancelled. Default: 600,000. */
  readonly limit?: number | undefined
  /** The time between two questions if the service suggests none, in milliseconds. Default: 1,000. */
  readonly interval?: number | undefined
  /** How long the service may take before it answers with a status monitor, in seconds. Default: the service decides. */
  readonly wait?: number | undefined
  /** The requests that ask for a status monitor. Default: all. */
  readonly when?: ((url: string, request: HttpRequest) => boolean) | undefined
  /** Waits for the given milliseconds. Rejects with the signal's reason if the signal aborts. Default: a timer. */
  readonly pause?: ((milliseconds: number, signal: AbortSignal | null) => Promise<void>) | undefined
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * A `fetch` for long-running requests. It sends `Prefer: respond-async`. If the service answers 202 with the URL of a status
 * monitor, it asks there until the request has ended, and returns its response. If you abort the call, or after `limit`
 * milliseconds, it asks the service to cancel the request, and rejects. A monitor on another origin gets a `TypeError`.
 *
 * @see OData Protocol 4.01, 11.6 (asynchronous requests)
 */
export const respondingAsync = (fetch: Fetch = globalThis.fetch, options: AsyncOptions = {}): Fetch => {
  const { limit = 600_000, interval = 1_000, wait, when = () => true, pause = sleep, now = Date.now } = options
  const preference = wait === undefined ? 'respond-async' : `respond-async, wait=${wait}`

  return async (url, request) => {
    if (!when(url, request)) return fetch(url, request)
    const headers = new Headers(request.headers)
    headers.set('prefer', [headers.get('prefer'), preference].filter(Boolean).join(', '))
    const end = now() + limit
    let response = await fetch(url, { ...request, headers })
    let monitor = monitorOf(response, url)
    if (monitor === undefined) return response

    const ask = new Headers(request.headers)
    for (const name of ['prefer', 'content-type', 'if-match', 'if-none-match']) ask.delete(name)
    const question: HttpRequest = { ...request, headers: ask, body: null }
    try {
      for (;;) {
        await response.body?.cancel()
        const delay = retryAfter(response.headers.get('retry-after'), now()) ?? interval
        if (now() + delay > end) throw new Error(`The request has not ended after ${limit} ms.`)
        await pause(delay, request.signal)
        response = await fetch(monitor, { ...question, method: 'GET' })
        if (response.status !== 202) return await asyncResultOf(response)
        monitor = monitorOf(response, monitor) ?? monitor
      }
    } catch (failure) {
      // The caller waits no longer. Whether the service can cancel the request makes no difference to it.
      fetch(monitor, { ...question, method: 'DELETE', signal: null }).catch(() => {})
      throw failure
    }
  }
}

/** The URL of the status monitor in a response. Undefined: the response has none. */
const monitorOf = ({ status, headers }: Response, url: string): string | undefined => {
  const location = headers.get('location')
  if (status !== 202 || location === null) return undefined
  const { href, origin } = new URL(location, url)
  return origin === new URL(url).origin ? href : throwTypeError(`a status monitor like ${url}`, href)
}

/** The response of a request that has ended: in its own form with the header AsyncResult, or enclosed in `application/http`. */
const asyncResultOf = async (response: Response): Promise<Response> => {
  const status = Number(response.headers.get('asyncresult') ?? response.status)
  if (!/^application\/http\b/i.test(response.headers.get('content-type') ?? '')) {
    return status === response.status
      ? response
      : enclosedResponse(status, response.headers, await response.arrayBuffer())
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  // One character for each byte, so that the body starts where the head ends.
  const text = new TextDecoder('latin1').decode(bytes)
  const [head = ''] = /^[\s\S]*?(?:\r?\n){2}/.exec(text) ?? []
  const [line = '', ...fields] = head.split(/\r?\n/)
  const headers = new Headers()
  for (const field of fields) {
    const colon = field.indexOf(':')
    if (colon > 0) headers.append(field.slice(0, colon).trim(), field.slice(colon + 1).trim())
  }
  return enclosedResponse(Number(/^HTTP\/\d\.\d (\d{3})/.exec(line)?.[1]), headers, bytes.slice(head.length))
}

const enclosedResponse = (
  status: number,
  headers: Headers,
  body: ConstructorParameters<typeof Response>[0],
): Response => new Response(/^(204|304)$/.test(`${status}`) ? null : body, { status, headers })
