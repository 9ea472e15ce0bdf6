import {
  type ExtraRoute,
  isSendable,
  jsonContentType,
  parseMediaType,
  RequestFault,
  type RequestHead,
  readRequestBody,
  type ServerRequest,
  type ServerResponse,
  type ServiceTable,
} from '../../runtime/server/index.js'
import { isObject } from '../../sql/index.js'
import { dollarPaths } from './metadata.js'

/** What one batch may contain and return. */
export interface BatchLimits {
  /** Requests. */
  readonly batchRequests: number
  /** Bytes of all responses. Requests after that are not run. */
  readonly batchBytes: number
}

export const defaultBatchLimits: BatchLimits = { batchRequests: 20, batchBytes: 16 * 1024 * 1024 }

/**
 * `$batch` in JSON: several requests in one. Each is checked and answered as if it had been sent alone, with the credential
 * of the batch.
 *
 * @see OData JSON Format 4.01, 19 (batch requests and responses)
 */
export function batchRoute(table: ServiceTable, limits: BatchLimits): readonly ExtraRoute[] {
  const root = `/${table.version}`
  const handle: ExtraRoute['handle'] = async ({ request: incoming, serviceUrl, headers, dispatch }) => {
    const json = await readRequestBody(incoming, table.limits.body, undefined)
    const { requests, problems } = parseBatch(json, { path: root, url: serviceUrl }, limits)
    if (problems.length > 0) throw new RequestFault('invalidBody', { reasons: problems })
    const answers = await runBatch(requests, incoming, dispatch, limits)
    const responses = answers.map((each, index) =>
      batchResponse(requests[index]?.id ?? '', each, headers['odata-version'] === '4.01'),
    )
    return {
      status: 200,
      headers: { ...headers, 'content-type': jsonContentType() },
      body: `{"responses":[${responses.join(',')}]}`,
    }
  }
  return dollarPaths(table, 'batch').map(path => ({ method: 'POST', path, handle }))
}

/**
 * One request of a batch.
 *
 * @see OData JSON Format 4.01, 19.1 (batch request)
 */
interface BatchRequest {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to the root of the server, such as `/v1.0/users?$top=1`. */
  readonly target: string
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Undefined: no body. */
  readonly body: Uint8Array | undefined
  /** The ids of earlier requests that must succeed first. */
  readonly dependsOn: readonly string[]
}

/** The maximum number of problems in a response, so that a large batch does not get a larger response. */
const maxProblems = 50

interface BatchProblem {
  /** A path into the body, such as `requests/0/url`. */
  readonly target: string
  readonly message: string
}

/** The root of the service. Relative URLs of a batch start here. */
interface BatchRoot {
  /** On this server, such as `/v1.0`. */
  readonly path: string
  /** As callers know it, such as `https://api.example.com/v1.0`. */
  readonly url: string
}

type Report = (target: string, problem: string) => void

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
const members = ['id', 'method', 'url', 'headers', 'body', 'dependsOn']

/** Parses the body of a batch request. If there is any problem, the batch does not run. */
function parseBatch(
  json: unknown,
  root: BatchRoot,
  { batchRequests }: BatchLimits,
): { readonly requests: readonly BatchRequest[]; readonly problems: readonly BatchProblem[] } {
  const problems: BatchProblem[] = []
  const report: Report = (target, problem) => {
    if (problems.length < maxProblems) problems.push({ target, message: `${target} ${problem}.` })
  }
  const list = isObject(json) && Object.hasOwn(json, 'requests') ? json['requests'] : undefined
  if (!Array.isArray(list)) {
    report('requests', 'must be a list')
    return { requests: [], problems }
  }
  if (list.length > batchRequests) {
    report('requests', `has ${list.length} requests, but the limit batchRequests is ${batchRequests}`)
    return { requests: [], problems }
  }
  const seen = new Set<string>()
  const requests = list.flatMap((item: unknown, index) => {
    const at = `requests/${index}`
    if (!isObject(item)) {
      report(at, 'must be an object')
      return []
    }
    return readRequest(item, at, root, seen, report) ?? []
  })
  return { requests, problems }
}

type JsonObject = Readonly<Record<string, unknown>>

function readRequest(
  item: JsonObject,
  at: string,
  root: BatchRoot,
  seen: Set<string>,
  report: Report,
): BatchRequest | undefined {
  for (const name of Object.keys(item)) {
    if (name === 'atomicityGroup') {
      report(`${at}/atomicityGroup`, 'is not supported: the requests of a batch are independent')
    } else if (!members.includes(name)) {
      report(`${at}/${name.slice(0, 40)}`, `is unknown; expected ${members.join(', ')}`)
    }
  }
  const id = readId(item['id'], `${at}/id`, seen, report)
  const dependsOn = readDependsOn(item['dependsOn'], `${at}/dependsOn`, seen, report)
  if (id !== undefined) seen.add(id.toLowerCase())
  const method = methods.find(name => typeof item['method'] === 'string' && name === item['method'].toUpperCase())
  if (method === undefined) report(`${at}/method`, `must be one of ${methods.join(', ')}`)
  const target = typeof item['url'] === 'string' ? batchTarget(item['url'], root) : undefined
  if (target === undefined)
    report(`${at}/url`, 'must be a URL relative to the root of the service, and must not be a batch')
  const headers = readHeaders(item['headers'], `${at}/headers`, report)
  if (id === undefined || method === undefined || target === undefined) return undefined
  const body = Object.hasOwn(item, 'body') && item['body'] !== null ? bodyOf(item['body'], headers) : undefined
  return { id, method, target, headers, body, dependsOn }
}

function readId(json: unknown, at: string, seen: ReadonlySet<string>, report: Report): string | undefined {
  if (typeof json !== 'string' || json === '' || json.length > 128) {
    report(at, 'must be a string of 1 to 128 characters')
    return undefined
  }
  if (!seen.has(json.toLowerCase())) return json
  report(at, 'must be unique in the batch, regardless of case')
  return undefined
}

function readDependsOn(json: unknown, at: string, seen: ReadonlySet<string>, report: Report): readonly string[] {
  if (json === undefined || json === null) return []
  if (!Array.isArray(json) || !json.every(id => typeof id === 'string')) {
    report(at, 'must be a list of ids')
    return []
  }
  const unknown = json.find(id => !seen.has(id.toLowerCase()))
  if (unknown !== undefined) report(at, 'must name earlier requests')
  return json
}

function readHeaders(json: unknown, at: string, report: Report): Map<string, string> {
  const headers = new Map<string, string>()
  if (json === undefined || json === null) return headers
  if (!isObject(json)) {
    report(at, 'must be an object')
    return headers
  }
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && isSendable({ status: 200, headers: { [name]: value }, body: undefined })) {
      headers.set(name.toLowerCase(), value)
    } else report(at, 'must have valid header names and values')
  }
  return headers
}

/** A JSON body is serialised. Other content is a JSON string with the body. */
function bodyOf(json: unknown, headers: Map<string, string>): Uint8Array {
  const contentType = headers.get('content-type')
  if (contentType === undefined) headers.set('content-type', 'application/json')
  const isJson = contentType === undefined || parseMediaType(contentType)?.type === 'application/json'
  return new TextEncoder().encode(isJson || typeof json !== 'string' ? JSON.stringify(json) : json)
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
  const target = root.path + encoded(below)
  // The path after `.` and `..` are resolved, as the server core does.
  const { pathname } = new URL(`http://localhost${target}`)
  if (pathname !== root.path && !pathname.startsWith(`${root.path}/`)) return undefined
  return /^\/(?:\$|%24)batch$/i.test(pathname.slice(root.path.length)) ? undefined : target
}

/** The text as a request line would carry it, which allows visible ASCII only. */
function encoded(text: string): string {
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
const inherited = ['authorization', 'odata-maxversion', 'accept-language']

/** The number of requests of a batch that run at the same time. */
const maxRunning = 4

/**
 * Runs the requests of a batch, a few at a time and in their order. Each starts when the requests that it depends on have
 * succeeded. The responses are in the order of the requests.
 */
async function runBatch(
  requests: readonly BatchRequest[],
  batch: ServerRequest,
  dispatch: (incoming: ServerRequest) => Promise<ServerResponse>,
  { batchBytes }: BatchLimits,
): Promise<readonly ServerResponse[]> {
  const running = new Map<string, Promise<ServerResponse>>()
  let bytes = 0
  const run = async (request: BatchRequest): Promise<ServerResponse> => {
    for (const id of request.dependsOn) {
      const before = await running.get(id.toLowerCase())
      if (before !== undefined && before.status >= 400) return failedDependency(id)
    }
    if (bytes > batchBytes) return tooManyBytes(batchBytes)
    const response = await dispatch(incomingOf(request, batch))
    bytes += typeof response.body === 'string' ? response.body.length : (response.body?.byteLength ?? 0)
    return response
  }
  const waiting = requests.values()
  const responses = new Map<BatchRequest, ServerResponse>()
  // An earlier request never waits for a later one, so that the workers cannot block each other.
  const work = async (): Promise<void> => {
    for (const request of waiting) {
      const response = run(request)
      running.set(request.id.toLowerCase(), response)
      responses.set(request, await response)
    }
  }
  await Promise.all(Array.from({ length: maxRunning }, work))
  return requests.flatMap(request => responses.get(request) ?? [])
}

/** The answer to a request that was not run because the responses before it are too long. */
function tooManyBytes(limit: number): ServerResponse {
  const message = `The request was not run: the responses of the batch have more bytes than the limit batchBytes, which is ${limit}.`
  return {
    status: 503,
    headers: { 'content-type': jsonContentType() },
    body: JSON.stringify({ error: { code: 'TooManyBytes', message } }),
  }
}

/** @see RFC 4918, 11.4 (424 Failed Dependency) */
function failedDependency(id: string): ServerResponse {
  const message = `The request was not sent because request ${JSON.stringify(id)}, which it depends on, failed.`
  return {
    status: 424,
    headers: { 'content-type': jsonContentType(), 'content-language': 'en' },
    body: JSON.stringify({ error: { code: 'FailedDependency', message } }),
  }
}

function incomingOf({ method, target, headers, body }: BatchRequest, batch: ServerRequest): ServerRequest {
  const head: RequestHead = {
    method,
    url: batch.origin + target,
    headers: {
      get: name => {
        const key = name.toLowerCase()
        return headers.get(key) ?? (inherited.includes(key) ? batch.head.headers.get(key) : null)
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
  }
}

/**
 * One response of a batch as JSON text. A JSON body is copied without being parsed.
 *
 * @param isLowerCase the names of headers are in lower case, as 4.01 demands; otherwise in their usual spelling, because
 *   clients that do not ask for 4.01, such as that of Microsoft Graph, look for `Content-Type` in this spelling only
 *
 * @see OData JSON Format 4.01, 19.3 (batch response)
 */
function batchResponse(id: string, { status, headers, body }: ServerResponse, isLowerCase: boolean): string {
  const named = isLowerCase
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [usualName(name), value]))
  const head = `{"id":${JSON.stringify(id)},"status":${status},"headers":${JSON.stringify(named)}`
  if (body === undefined) return `${head}}`
  if (typeof body !== 'string') return `${head},"body":"${Buffer.from(body).toString('base64url')}"}`
  const isJson = headers['content-type']?.startsWith('application/json') === true
  return `${head},"body":${isJson ? body : JSON.stringify(body)}}`
}

const usualNames = new Map(
  ['ETag', 'OData-EntityId', 'OData-Version', 'WWW-Authenticate', 'client-request-id', 'request-id'].map(name => [
    name.toLowerCase(),
    name,
  ]),
)

/** The name of a header in its usual spelling. */
function usualName(name: string): string {
  return usualNames.get(name) ?? name.replaceAll(/(^|-)([a-z])/g, (_, before, letter) => before + letter.toUpperCase())
}
