import { nextTurn } from '../body/json-body.js'
import type { Principal } from '../handler.js'
import type { RequestHead, ServerRequest, ServerResponse } from '../http/message.js'
import { jsonContentType } from '../response/json-response.js'
import type { Atomically, BatchLimits } from '../service-options.js'

/** How to run the requests of a batch. */
export interface BatchRun {
  readonly root: BatchRoot
  readonly batch: ServerRequest
  readonly principal: Principal | undefined
  readonly dispatch: (incoming: ServerRequest) => Promise<ServerResponse>
  /** Undefined: no group has more than one request. */
  readonly atomically: Atomically<unknown> | undefined
  readonly batchBytes: number
  /** The number of requests and groups that run at the same time. */
  readonly concurrency: number
  /** Whether nothing runs after a request that failed. */
  readonly stopsAtError: boolean
}

/**
 * Runs the requests of a batch in their order, a few at a time. Each starts when the requests that it depends on have
 * succeeded. The requests of an atomicity group run one after another in one transaction, which is rolled back if one of them
 * fails. A group starts when all requests before it have ended: a transaction must not wait for a write that waits for it.
 * The responses are in the order of the requests.
 *
 * @returns the responses of the requests that ran
 */
export async function runBatch(requests: readonly BatchRequest[], run: BatchRun): Promise<readonly BatchResponse[]> {
  const started = new Map<string, Promise<readonly BatchResponse[]>>()
  const responses = new Map<BatchRequest, ServerResponse>()
  const related = { value: 0 }
  let bytes = 0
  let isFull = false
  let stopped = false
  const one: RunOne = async (request, own, context) => {
    const earlier = new Map(own.map(each => [each.request.id.toLowerCase(), Promise.resolve([each])]))
    const responsesOf = (id: string): Promise<readonly BatchResponse[]> | undefined =>
      earlier.get(id.toLowerCase()) ?? started.get(id.toLowerCase())
    for (const id of request.dependsOn) {
      const before = (await responsesOf(id)) ?? []
      if (before.some(({ response }) => response.status >= 400)) return failedDependency(id)
    }
    if (isFull || bytes > run.batchBytes) return tooManyBytes(run.batchBytes)
    const locate = async (id: string): Promise<string | undefined> => {
      const found = (await responsesOf(id))?.find(each => each.request.id.toLowerCase() === id.toLowerCase())
      return found === undefined ? undefined : batchLocationOf(found, run.root)
    }
    const target = await batchTargetOf(request, locate)
    if (target === undefined) return failedDependency(request.url.kind === 'reference' ? request.url.id : request.id)
    const located = await withLocations(request, locate)
    const response = await run.dispatch({ ...incomingOf(located, target, run.batch, context), related })
    const length = typeof response.body === 'string' ? response.body.length : (response.body?.byteLength ?? 0)
    // Several run at the same time. What only reads can be sent again; one response always fits.
    if (request.method === 'GET' && bytes > 0 && bytes + length > run.batchBytes) {
      isFull = true
      return tooManyBytes(run.batchBytes)
    }
    bytes += length
    return response
  }
  const waiting = batchUnitsOf(requests).values()
  let since = performance.now()
  // An earlier request never waits for a later one, so that the workers cannot block each other.
  const work = async (): Promise<void> => {
    for (;;) {
      // Before the unit is taken: what depends on it must find it among those that have started.
      if (performance.now() - since > maxBlocking) {
        await nextTurn()
        since = performance.now()
      }
      const { value: unit } = waiting.next()
      if (stopped || unit === undefined) return
      const before = unit[0]?.group === undefined ? [] : [...new Set(started.values())]
      const running = Promise.all(before).then(() => runUnit(unit, one, run))
      for (const { id, group } of unit) {
        started.set(id.toLowerCase(), running)
        if (group !== undefined) started.set(group.toLowerCase(), running)
      }
      for (const { request, response } of await running) {
        responses.set(request, response)
        if (run.stopsAtError && response.status >= 400) stopped = true
      }
    }
  }
  await Promise.all(Array.from({ length: run.concurrency }, work))
  return requests.flatMap(request => {
    const response = responses.get(request)
    return response === undefined ? [] : [{ request, response }]
  })
}

/** Other requests get a turn when a batch has run for so many milliseconds, between two of its requests. */
const maxBlocking = 10

/** Single requests, and groups of adjacent requests. */
function batchUnitsOf(requests: readonly BatchRequest[]): readonly (readonly BatchRequest[])[] {
  const units: BatchRequest[][] = []
  for (const request of requests) {
    const last = units.at(-1)
    if (last !== undefined && request.group !== undefined && last[0]?.group === request.group) last.push(request)
    else units.push([request])
  }
  return units
}

type RunOne = (
  request: BatchRequest,
  own: readonly BatchResponse[],
  context?: ServerRequest['context'],
) => Promise<ServerResponse>

async function runUnit(
  unit: readonly BatchRequest[],
  one: RunOne,
  { atomically, principal }: Pick<BatchRun, 'atomically' | 'principal'>,
): Promise<readonly BatchResponse[]> {
  const [first] = unit
  if (first === undefined) return []
  if (first.group === undefined || atomically === undefined) return [{ request: first, response: await one(first, []) }]
  try {
    return await atomically(
      async context => {
        const done: BatchResponse[] = []
        for (const request of unit) {
          const response = await one(request, done, context)
          if (response.status >= 400) throw new GroupFailure(request, response)
          done.push({ request, response })
        }
        return done
      },
      principal,
      unit.reduce((total, { body }) => total + (body?.byteLength ?? 0), 0),
    )
  } catch (error) {
    if (!(error instanceof GroupFailure)) throw error
    return unit.map(request => {
      const response = request === error.request ? error.response : failedGroup(error.request)
      return { request, response }
    })
  }
}

/** A request of an atomicity group failed, so that the transaction is rolled back. */
class GroupFailure extends Error {
  override readonly name = 'GroupFailure'
  readonly request: BatchRequest
  readonly response: ServerResponse

  constructor(request: BatchRequest, response: ServerResponse) {
    super('A request of an atomicity group failed.')
    this.request = request
    this.response = response
  }
}

type LocateRequest = (id: string) => Promise<string | undefined>

async function batchTargetOf({ url }: BatchRequest, locate: LocateRequest): Promise<string | undefined> {
  if (url.kind === 'target') return url.target
  const location = await locate(url.id)
  return location === undefined ? undefined : location + url.rest
}

/** The address of the item that a request created or addressed. */
function batchLocationOf({ request, response }: BatchResponse, root: BatchRoot): string | undefined {
  if (response.status >= 400) return undefined
  const location = response.headers['location'] ?? response.headers['odata-entityid']
  if (location !== undefined) return batchTarget(location, root)
  return request.url.kind === 'target' ? request.url.target.split('?')[0] : undefined
}

const referenceInBody = /("(?:[^"\\]*@(?:odata\.)?bind|@(?:odata\.)?id)"\s*:\s*(?:\[\s*)?)"\$([^"\\/]+)"/g

/** The request with the addresses of items in its body instead of `$1`, where it links items. */
async function withLocations(request: BatchRequest, locate: LocateRequest): Promise<BatchRequest> {
  const { body } = request
  if (body === undefined || !body.includes(0x24)) return request
  const text = new TextDecoder().decode(body)
  const locations = new Map<string, string>()
  for (const [, , id = ''] of text.matchAll(referenceInBody)) {
    const location = await locate(id)
    if (location !== undefined) locations.set(id, location)
  }
  if (locations.size === 0) return request
  const replaced = text.replaceAll(referenceInBody, (whole, before: string, id: string) => {
    const location = locations.get(id)
    return location === undefined ? whole : before + JSON.stringify(location)
  })
  return { ...request, body: new TextEncoder().encode(replaced) }
}

/** The answer to a request that was not run because the responses before it are too long. */
function tooManyBytes(limit: number): ServerResponse {
  const message = `The request has no response: the responses of the batch have more bytes than the limit batchBytes, which is ${limit}.`
  return batchError(503, 'TooManyBytes', message)
}

/** @see RFC 4918, 11.4 (424 Failed Dependency) */
function failedDependency(id: string): ServerResponse {
  const message = `The request was not sent because request ${JSON.stringify(id)}, which it depends on, failed.`
  return batchError(424, 'FailedDependency', message)
}

function failedGroup({ id }: BatchRequest): ServerResponse {
  const message = `The request has no effect because request ${JSON.stringify(id)} of its atomicity group failed.`
  return batchError(424, 'FailedDependency', message)
}

function batchError(status: number, code: string, message: string): ServerResponse {
  return {
    status,
    headers: { 'content-type': jsonContentType(), 'content-language': 'en' },
    body: JSON.stringify({ error: { code, message } }),
  }
}

export const defaultBatchLimits: BatchLimits = { batchRequests: 20, batchBytes: 4 * 1024 * 1024 }

export const batchMethods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

/**
 * One request of a batch.
 *
 * @see OData JSON Format 4.01, 19.1 (batch request); OData Protocol 4.01, 11.7.7 (multipart batch)
 */
export interface BatchRequest {
  readonly id: string
  readonly method: (typeof batchMethods)[number]
  readonly url: BatchUrl
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Undefined: no body. */
  readonly body: Uint8Array | undefined
  /** The ids of earlier requests or groups that must succeed first. */
  readonly dependsOn: readonly string[]
  /** The atomicity group: its requests succeed or fail together. */
  readonly group: string | undefined
}

/** `id`: the URL starts with the item that an earlier request created or addressed, `$1/pages`. */
type BatchUrl =
  | { readonly kind: 'target'; readonly target: string }
  | { readonly kind: 'reference'; readonly id: string; readonly rest: string }

/** The root of the service. Relative URLs of a batch start here. */
export interface BatchRoot {
  /** On this server, such as `/v1.0`. */
  readonly path: string
  /** As callers know it, such as `https://api.example.com/v1.0`. */
  readonly url: string
}

const referenceUrl = /^\/?\$([^/?$]+)((?:[/?].*)?)$/s

/**
 * The URL of a request in a batch. Undefined: it is outside the service, or is a batch itself.
 *
 * @param isKnown whether an earlier request has this id
 * @see OData Protocol 4.01, 11.7.3 (referencing new entities)
 */
export function batchUrl(url: string, root: BatchRoot, isKnown: (id: string) => boolean): BatchUrl | undefined {
  const [, id, rest = ''] = referenceUrl.exec(url) ?? []
  if (id !== undefined && isKnown(id)) return { kind: 'reference', id, rest }
  const target = batchTarget(url, root)
  return target === undefined ? undefined : { kind: 'target', target }
}

/**
 * The target of a request in a batch, relative to the root of the server; undefined if it is outside the service or is a
 * batch itself. `/users`, `users`, `/v1.0/users` and the absolute URL are equivalent.
 *
 * @see OData JSON Format 4.01, 19.1: a URL may be absolute, relative to the host, or relative
 */
function batchTarget(url: string, root: BatchRoot): string | undefined {
  const below = belowRoot(url, root)
  if (below === undefined) return undefined
  const target = root.path + encodedTarget(below)
  // The path after `.` and `..` are resolved, as the server core does.
  const { pathname } = new URL(`http://localhost${target}`)
  if (pathname !== root.path && !pathname.startsWith(`${root.path}/`)) return undefined
  return /^\/(?:\$|%24)batch$/i.test(pathname.slice(root.path.length)) ? undefined : target
}

/** The text as a request line would carry it, which allows visible ASCII only. */
function encodedTarget(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent)
}

function belowRoot(url: string, root: BatchRoot): string | undefined {
  if (url === '' || url.startsWith('//') || url.includes('#') || /\p{Surrogate}/u.test(url)) return undefined
  for (const prefix of [root.url, root.path]) {
    if (url === prefix) return ''
    if (url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`)) return url.slice(prefix.length)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return undefined
  return url.startsWith('/') ? url : `/${url}`
}

/** Headers of the batch that apply to each request without its own value. */
const inheritedHeaders = ['authorization', 'odata-maxversion', 'accept-language']

/**
 * A request of a batch as the service would get it alone.
 *
 * @param context creates the context of its handler, in place of the option of the service
 */
function incomingOf(
  { method, headers, body }: BatchRequest,
  target: string,
  batch: ServerRequest,
  context: ServerRequest['context'],
): ServerRequest {
  const head: RequestHead = {
    method,
    url: batch.origin + target,
    headers: {
      get: name => {
        const key = name.toLowerCase()
        return headers.get(key) ?? (inheritedHeaders.includes(key) ? batch.head.headers.get(key) : null)
      },
    },
    get signal() {
      return batch.head.signal
    },
  }
  const bytes = body ?? new Uint8Array(0)
  return {
    head,
    origin: batch.origin,
    target,
    readBody: limit => Promise.resolve(bytes.byteLength > limit ? 'tooLarge' : bytes),
    context,
  }
}

/** The response to one request of a batch. */
export interface BatchResponse {
  readonly request: BatchRequest
  readonly response: ServerResponse
}
