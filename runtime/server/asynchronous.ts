import { RequestFault } from './errors.js'
import type { Principal } from './handler.js'
import type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'
import { parseMediaType, splitUnquoted } from './http/message.js'
import { parsePrefer } from './http/preferences.js'
import { standardHeaders } from './response/json-response.js'
import { splitTarget } from './routing/path.js'

/** What long-running requests of a service need. */
export interface AsynchronousSettings {
  /** The path of the service on this server. */
  readonly root: string
  /** The URL of the service as callers know it. Undefined: that of each request. */
  readonly publicUrl: string | undefined
  /** The maximum number of bytes of a body that is kept while its request runs. */
  readonly maxBody: number
  /** Throws or rejects if the caller is unknown. */
  readonly identify: (head: RequestHead) => Principal | Promise<Principal>
  /** Answers a request at once. It never rejects. */
  readonly answer: (request: ServerRequest) => Promise<ServerResponse>
  readonly respondTo: (error: unknown, request: ServerRequest) => ServerResponse
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

/** Answers the requests of a service, also those with `Prefer: respond-async`. For services with the feature `respondAsync`. */
export type Asynchronous = (settings: AsynchronousSettings) => (request: ServerRequest) => Promise<ServerResponse>

/** Running and finished requests that one caller may have. A further one is answered at once. */
const maxJobsPerCaller = 10
/** Running and finished requests of all callers. */
const maxJobs = 1_000
/** Bytes of the results of all callers. The oldest results go first. */
const maxResultBytes = 64 * 1024 * 1024
/** How long a result is kept, in milliseconds. */
const retention = 5 * 60_000
/** The longest `wait`, in seconds. */
const maxWait = 30

interface Job {
  readonly caller: string
  readonly controller: AbortController
  /** Undefined: it runs. */
  result: { readonly response: ServerResponse; readonly bytes: number; readonly at: number } | undefined
}

/**
 * Long-running requests. A request with `Prefer: respond-async` gets 202 and the URL of a status monitor, unless it ends within
 * the seconds of the preference `wait`. The monitor answers 202 while the request runs, then with its response; DELETE ends the
 * request. Only the caller of the request can use it. Results are in memory: they are lost when the process ends.
 *
 * @see OData Protocol 4.01, 11.6 (asynchronous requests) and 8.2.8.8 (respond-async)
 */
export const asynchronous: Asynchronous = settings => {
  const { root, publicUrl, identify, answer, respondTo, now = Date.now } = settings
  const jobs = new Map<string, Job>()
  const prefix = `${root}/$async/`

  const purge = (): void => {
    let bytes = 0
    // The newest first, so that the oldest results exceed the limit.
    for (const [id, { result }] of [...jobs].reverse()) {
      bytes += result?.bytes ?? 0
      if (result !== undefined && (bytes > maxResultBytes || now() - result.at > retention)) jobs.delete(id)
    }
  }
  const hasRoom = (caller: string): boolean => {
    purge()
    const own = [...jobs].filter(([, job]) => job.caller === caller)
    const done = own.find(([, job]) => job.result !== undefined)
    if (own.length >= maxJobsPerCaller && done !== undefined) jobs.delete(done[0])
    return (own.length < maxJobsPerCaller || done !== undefined) && jobs.size < maxJobs
  }
  const accepted = (request: ServerRequest, id: string): ServerResponse => ({
    status: 202,
    headers: {
      ...standardHeaders(request.head),
      location: `${publicUrl ?? request.origin + root}/$async/${id}`,
      'retry-after': '1',
    },
    body: undefined,
  })

  const start = async (request: ServerRequest, name: string, caller: string, wait: number): Promise<ServerResponse> => {
    const detached = await detach(request, settings.maxBody)
    if (detached === undefined) return answer({ ...request, readBody: () => Promise.resolve('tooLarge') })
    // Nothing may wait between this and the new entry: requests that come at the same time would all find room.
    if (!hasRoom(caller)) return answer({ ...request, readBody: detached.request.readBody })
    const job: Job = { caller, controller: detached.controller, result: undefined }
    const id = crypto.randomUUID()
    jobs.set(id, job)
    const running = answer(detached.request).then(response => {
      job.result = { response, bytes: resultBytes(response), at: now() }
      purge()
      return response
    })
    const early = wait > 0 ? await Promise.race([running, pause(wait * 1000, request.head.signal)]) : undefined
    if (early !== undefined) {
      jobs.delete(id)
      return early
    }
    const response = accepted(request, id)
    return { ...response, headers: { ...response.headers, 'preference-applied': name } }
  }

  const monitor = async (request: ServerRequest, id: string): Promise<ServerResponse> => {
    const { id: caller } = await identify(request.head)
    purge()
    const job = jobs.get(id)
    if (job === undefined || job.caller !== caller) {
      throw new RequestFault('pathNotFound', {
        values: { reason: 'The status monitor belongs to another caller, or its result is no longer kept.' },
      })
    }
    if (request.head.method === 'DELETE') {
      jobs.delete(id)
      job.controller.abort(new Error('The caller has cancelled the request.'))
      return { status: 204, headers: standardHeaders(request.head), body: undefined }
    }
    if (request.head.method !== 'GET' && request.head.method !== 'HEAD') {
      const allow = 'GET, HEAD, DELETE'
      throw new RequestFault('methodNotAllowed', {
        headers: { allow },
        values: { method: request.head.method, allowed: allow },
      })
    }
    return job.result === undefined ? accepted(request, id) : finished(request, job.result.response)
  }

  return async request => {
    const { path } = splitTarget(request.target)
    const decoded = path.replace('/%24async/', '/$async/')
    if (decoded.startsWith(prefix)) {
      return monitor(request, decoded.slice(prefix.length)).catch((error: unknown) => respondTo(error, request))
    }
    const preferences = parsePrefer(request.head.headers.get('prefer'))
    const preference = preferences.get('respond-async')
    if (preference === undefined) return answer(request)
    const caller = await callerOf(request, identify)
    if (caller === undefined) return answer(request)
    return start(request, preference.name, caller, waitOf(preferences.get('wait')?.value))
  }
}

/** Undefined: the caller is unknown, which the service itself reports. */
async function callerOf(
  { head }: ServerRequest,
  identify: AsynchronousSettings['identify'],
): Promise<string | undefined> {
  try {
    return (await identify(head)).id
  } catch {
    return undefined
  }
}

/** @see RFC 7240, 4.3 (wait) */
function waitOf(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Math.min(Number(value), maxWait) : 0
}

/** The request without its connection, which ends before it. Undefined: its body is too large. */
async function detach(
  request: ServerRequest,
  maxBody: number,
): Promise<{ readonly request: ServerRequest; readonly controller: AbortController } | undefined> {
  const { method, url, headers } = request.head
  const body = method === 'GET' || method === 'HEAD' ? new Uint8Array() : await request.readBody(maxBody)
  if (body === 'tooLarge') return undefined
  const controller = new AbortController()
  const readBody = async (limit: number): Promise<Uint8Array | 'tooLarge'> =>
    body.byteLength > limit ? 'tooLarge' : body
  return { request: { ...request, head: { method, url, headers, signal: controller.signal }, readBody }, controller }
}

function resultBytes({ body }: ServerResponse): number {
  if (body === undefined) return 0
  return typeof body === 'string' ? body.length * 2 : body.byteLength
}

/** Resolves after the given milliseconds, or when the caller disconnects. */
function pause(milliseconds: number, signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(undefined)
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/**
 * The response of the monitor of a request that has ended: the response itself, with its status in `AsyncResult`. Callers of
 * version 4.0, and those that accept `application/http`, get it enclosed.
 *
 * @see OData Protocol 4.01, 11.6 and 8.3.1 (AsyncResult)
 */
function finished({ head }: ServerRequest, response: ServerResponse): ServerResponse {
  const own = standardHeaders(head)
  const accept = splitUnquoted(head.headers.get('accept') ?? '', ',')
  const encloses = accept.some(part => parseMediaType(part.trim())?.type === 'application/http')
  if (own['odata-version'] !== '4.01' || encloses) {
    const headers = { ...own, 'content-type': 'application/http', 'content-transfer-encoding': 'binary' }
    return { status: 200, headers, body: enclosed(response) }
  }
  const headers = { ...response.headers, asyncresult: String(response.status) }
  return { status: 200, headers, body: response.body }
}

/** A response as a message of HTTP/1.1. @see RFC 9112, 2.1 */
function enclosed({ status, headers, body }: ServerResponse): string | ArrayBuffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} \r\n${lines.join('')}\r\n`
  if (body === undefined || typeof body === 'string') return head + (body ?? '')
  const start = new TextEncoder().encode(head)
  const whole = new Uint8Array(start.byteLength + body.byteLength)
  whole.set(start)
  whole.set(new Uint8Array(body), start.byteLength)
  return whole.buffer
}
