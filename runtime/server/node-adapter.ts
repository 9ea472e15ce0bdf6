import { boundedCache } from './bounded-cache.js'
import { incompleteBodyFault, joinChunks, type Service } from './create-service.js'
import type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'

export interface NodeListenerOptions {
  /** The scheme that callers use: `https` behind a proxy that terminates TLS. Default: `http`. */
  readonly scheme?: 'http' | 'https'
  /**
   * The maximum size of a body in bytes, for a wrapped handler. A service uses the limit in its spec. Default: 4 MiB.
   */
  readonly bodyLimit?: number
}

const defaultBodyLimit = 4 * 1024 * 1024

/**
 * Runs a service on `node:http`: `createServer(toNodeListener(service)).listen(8080)`. For a service, no `Request` and
 * `Response` are created, because they cost most of the time. Any other handler receives a `Request` and returns a
 * `Response`.
 */
export function toNodeListener(
  handler: Service | FetchHandler,
  { scheme = 'http', bodyLimit = defaultBodyLimit }: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const converted = fromNodeRequest(request, response, scheme)
    const result =
      'handle' in handler ? handler.handle(converted) : callFetchHandler(handler, request, converted, bodyLimit)
    result.then(sent => sendToNode(converted.head.method, response, sent)).catch(() => response.destroy())
  }
}

/**
 * Converts a request of `node:http`, for frameworks that send responses themselves:
 * `const { status, headers, body } = await service.handle(fromNodeRequest(request, response, 'http'))`.
 *
 * @param scheme the scheme that callers use, `http` or `https`
 */
export function fromNodeRequest(request: NodeRequest, response: NodeResponse, scheme: string): ServerRequest {
  const { target, origin } = addressOf(request, scheme)
  const head = new NodeRequestHead(request, response, origin + (target === '*' ? '/' : target))
  return { head, origin, target, readBody: limit => readNodeBody(request, limit) }
}

/** A host name or an IP address, and a port. No user, no path. */
const authority = /^[\w.:[\]-]+$/

/** The maximum number of cached hosts. A service has few. */
const maxHosts = 64

/** An invalid host is rejected: handlers can parse the URL, and callers follow links that start with it. */
const isAuthority = boundedCache(maxHosts, host => authority.test(host) && URL.canParse(`http://${host}`))

/** The request target is a path, an absolute URL for a proxy, or `*` for the server as a whole. */
function addressOf(request: NodeRequest, scheme: string): { readonly target: string; readonly origin: string } {
  const url = request.originalUrl ?? request.url ?? '/'
  const host = headerOf(request, 'host')
  const origin = `${scheme}://${host !== null && isAuthority(host) ? host : 'localhost'}`
  if (url.startsWith('/') || url === '*') return { target: url, origin }
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return { target: url.includes('://') && path > 0 ? url.slice(path) : '/', origin }
}

/**
 * The head of a request of `node:http`. It is a class because `signal`, which is rarely used, is created on demand: V8
 * gives each object literal with a getter its own hidden class, which costs more than everything else here.
 */
class NodeRequestHead implements RequestHead {
  readonly method: string
  readonly headers: RequestHead['headers']
  readonly url: string
  private readonly response: NodeResponse
  private aborted: AbortSignal | undefined

  constructor(request: NodeRequest, response: NodeResponse, url: string) {
    this.method = request.method ?? 'GET'
    this.headers = { get: name => headerOf(request, name) }
    this.url = url
    this.response = response
    this.aborted = undefined
  }

  get signal(): AbortSignal {
    this.aborted ??= abortedOnClose(this.response)
    return this.aborted
  }
}

/** `node:http` gives the names in lower case. */
function headerOf({ headers }: NodeRequest, name: string): string | null {
  const key = name.toLowerCase()
  const value = Object.hasOwn(headers, key) ? headers[key] : undefined
  return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
}

function abortedOnClose(response: NodeResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed && !response.writableFinished) controller.abort()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** The rest of a body that is too large is received and discarded, so that the caller can read the response. */
function readNodeBody(request: NodeRequest, limit: number): Promise<Uint8Array | 'tooLarge'> {
  if (Number(headerOf(request, 'content-length') ?? 0) > limit) return Promise.resolve('tooLarge')
  if (request.readableEnded === true) return bodyFromParser(request, limit)
  if (request.destroyed === true) return Promise.reject(incompleteBodyFault())
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = []
    let length = 0
    request.on('data', chunk => {
      length += chunk.byteLength
      if (length <= limit) {
        chunks.push(chunk)
        return
      }
      chunks = []
      resolve('tooLarge')
    })
    request.on('end', () => resolve(joinChunks(chunks, length)))
    request.on('error', () => reject(incompleteBodyFault()))
    request.on('close', () => {
      if (request.readableEnded !== true) reject(incompleteBodyFault())
    })
  })
}

/**
 * The bytes of a body that a body parser such as `express.json()` has already read.
 *
 * @throws {TypeError} if the body was read and `request.body` is not set
 */
async function bodyFromParser(request: NodeRequest, limit: number): Promise<Uint8Array | 'tooLarge'> {
  const bytes = encodeParsedBody(request.body)
  if (bytes !== undefined) return bytes.byteLength > limit ? 'tooLarge' : bytes
  if (Number(request.headers['content-length'] ?? 0) === 0 && request.headers['transfer-encoding'] === undefined) {
    return new Uint8Array(0)
  }
  throw new TypeError(
    'The body was read before the request reached the service, and request.body is not set. ' +
      'Mount the service before the middleware that reads the body.',
  )
}

function encodeParsedBody(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Sends a response over `node:http`. It writes all headers at once, which is faster than one by one. */
export function sendToNode(method: string, response: NodeResponse, { status, headers, body }: ServerResponse): void {
  if (response.destroyed) return
  const content = encodeBody(body)
  const sent: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) sent[name] = value
  }
  // An existing Content-Length or Transfer-Encoding stays.
  const isFramed = sent['content-length'] !== undefined || sent['transfer-encoding'] !== undefined
  if (!isFramed && (body !== undefined || mayHaveContent(method, status))) {
    sent['content-length'] = String(content.length)
  }
  response.writeHead(status, sent)
  if (method === 'HEAD' || body === undefined) response.end()
  else if (typeof content.data === 'string') response.end(content.data, 'latin1')
  else response.end(content.data)
}

/** A body with its length in bytes. Text only if each character is one byte. */
interface EncodedBody {
  readonly data: string | Uint8Array
  readonly length: number
}

const encoder = new TextEncoder()

/** Longer texts are encoded into a buffer of their own. */
const maxScratchLength = 65_536
const scratch = new Uint8Array(maxScratchLength)

/** Most texts are ASCII, which `node:http` copies fastest as latin1. Encoding into the scratch buffer detects ASCII. */
function encodeBody(body: ServerResponse['body']): EncodedBody {
  if (body === undefined) return { data: '', length: 0 }
  if (typeof body !== 'string') return { data: new Uint8Array(body), length: body.byteLength }
  const { length } = body
  if (length <= maxScratchLength) {
    const { read, written } = encoder.encodeInto(body, scratch)
    if (read === length && written === length) return { data: body, length }
  }
  const data = encoder.encode(body)
  return { data, length: data.length }
}

/** @see RFC 9110, 8.6 (Content-Length), 15.3.5 (204), 15.4.5 (304) */
function mayHaveContent(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

/** A function from `Request` to `Response`, such as a wrapped service. */
type FetchHandler = (request: Request) => Response | Promise<Response>

/** Calls a handler with a `Request`. Bodies are held in memory. */
async function callFetchHandler(
  handler: FetchHandler,
  request: NodeRequest,
  { head, readBody }: ServerRequest,
  bodyLimit: number,
): Promise<ServerResponse> {
  const bodiless = head.method === 'GET' || head.method === 'HEAD'
  const body = bodiless ? undefined : await readBody(bodyLimit)
  if (body === 'tooLarge') return { status: 413, headers: {}, body: undefined }
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '))
  }
  const init = { method: head.method, headers, signal: head.signal }
  const sent = body === undefined || body.byteLength === 0 ? init : { ...init, body: body.slice().buffer }
  const response = await handler(new Request(head.url, sent))
  return {
    status: response.status,
    headers: Object.fromEntries(headerPairs(response)),
    body: response.body === null ? undefined : await response.arrayBuffer(),
  }
}

/** `forEach`, because the library `dom` without `dom.iterable` does not type the iteration of headers. */
function headerPairs({ headers }: Response): readonly (readonly [string, string])[] {
  const all: (readonly [string, string])[] = []
  headers.forEach((value, name) => {
    all.push([name, value])
  })
  return all
}

/**
 * The members of `IncomingMessage` that the adapter uses. Declared here so that the runtime does not depend on Node
 * types.
 */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The complete URL, if a framework has removed the prefix of its route from `url`. */
  readonly originalUrl?: string | undefined
  /** Whether the body has been read to its end, for example by a body parser. */
  readonly readableEnded?: boolean | undefined
  /** Whether the stream is closed, read to its end or not. */
  readonly destroyed?: boolean | undefined
  /** The result of a body parser that ran before. */
  readonly body?: unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
}

/** The members of Node's `ServerResponse` that the adapter uses. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableFinished: boolean
  writeHead(status: number, headers: Record<string, string>): unknown
  end(): unknown
  end(body: Uint8Array): unknown
  /** Text in which each character is one byte. */
  end(body: string, encoding: 'latin1'): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}
