import { boundedCache } from './bounded-cache.js'
import type { Service } from './create-service.js'
import type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'
import { incompleteBodyFault, joinChunks } from './web-adapter.js'

/** How a service meets `node:http`. */
export interface NodeListenerOptions {
  /** Scheme that callers use: `https` behind a proxy that ends TLS. Default: `http`. */
  readonly scheme?: 'http' | 'https'
  /**
   * Bytes of a body that a wrapped handler may get; a service by itself knows its limit from its spec. Default: 4 MiB.
   */
  readonly bodyLimit?: number
}

const defaultBodyLimit = 4 * 1024 * 1024

/**
 * Serves from `node:http`: `createServer(toNodeListener(service)).listen(8080)`. A service is asked without a `Request`
 * and a `Response`, which is most of what they cost; any other handler of requests gets and gives them.
 */
export function toNodeListener(
  handler: Service | FetchHandler,
  { scheme = 'http', bodyLimit = defaultBodyLimit }: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const incoming = fromNodeRequest(request, response, scheme)
    const answer =
      'handle' in handler ? handler.handle(incoming) : callFetchHandler(handler, request, incoming, bodyLimit)
    answer.then(outgoing => sendToNode(incoming.head.method, response, outgoing)).catch(() => response.destroy())
  }
}

/** What is used of `IncomingMessage`; spelt out, so that the runtime stands on Web standards alone. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The whole address, where a framework takes the prefix off `url` that it has routed by. */
  readonly originalUrl?: string | undefined
  /** Whether the body has been read to its end, by whatever came first. */
  readonly readableEnded?: boolean | undefined
  /** Whether nothing comes any more, read to its end or not. */
  readonly destroyed?: boolean | undefined
  /** What a parser of bodies that came first has made of it. */
  readonly body?: unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
}

/** What is used of `ServerResponse`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableFinished: boolean
  writeHead(status: number, headers: Record<string, string>): unknown
  end(): unknown
  end(body: Uint8Array): unknown
  /** Text whose characters are bytes. */
  end(body: string, encoding: 'latin1'): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}

/**
 * The head of a request of `node:http`. The signal, which is seldom asked for, is made only then: by the getter of a class,
 * because one in an object literal gives each request a hidden class of its own, which costs more than all the rest.
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

/** Names come in lower case from `node:http`. */
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

/**
 * A body that a parser of the framework, such as `express.json()`, has read already, as bytes again.
 *
 * @throws {TypeError} when it was read and nothing was kept of it
 */
async function bodyFromParser(request: NodeRequest, limit: number): Promise<Uint8Array | 'tooLarge'> {
  const bytes = encodeParsedBody(request.body)
  if (bytes !== undefined) return bytes.byteLength > limit ? 'tooLarge' : bytes
  if (Number(request.headers['content-length'] ?? 0) === 0 && request.headers['transfer-encoding'] === undefined) {
    return new Uint8Array(0)
  }
  throw new TypeError(
    'The body was read before the service got the request, and request.body does not hold it: mount the service in front of what reads bodies.',
  )
}

function encodeParsedBody(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

/**
 * A request of `node:http` as the core takes it in, for frameworks that send answers themselves:
 * `const { status, headers, body } = await service.answer(nodeIncoming(request, response, 'http'))`.
 *
 * @param scheme the one that callers use, `http` or `https`
 */
export function fromNodeRequest(request: NodeRequest, response: NodeResponse, scheme: string): ServerRequest {
  const { target, origin } = addressOf(request, scheme)
  const head = new NodeRequestHead(request, response, origin + (target === '*' ? '/' : target))
  return { head, origin, target, readBody: limit => readNodeBody(request, limit) }
}

/** A name or an IP address, and a port: no user, no path. */
const authority = /^[\w.:[\]-]+$/

/** Hosts that are remembered: a service has few. */
const maxHosts = 64

/** Handlers may take the address apart, and callers follow links that begin with it. */
const isAuthority = boundedCache(maxHosts, host => authority.test(host) && URL.canParse(`http://${host}`))

/** A request line holds a path, or for a proxy a whole address; `OPTIONS *` asks for the server as such. */
function addressOf(request: NodeRequest, scheme: string): { readonly target: string; readonly origin: string } {
  const url = request.originalUrl ?? request.url ?? '/'
  const host = headerOf(request, 'host')
  const origin = `${scheme}://${host !== null && isAuthority(host) ? host : 'localhost'}`
  if (url.startsWith('/') || url === '*') return { target: url, origin }
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return { target: url.includes('://') && path > 0 ? url.slice(path) : '/', origin }
}

/** The rest of a body that is too large is received and thrown away, so that the caller lives to read the response. */
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
    request.on('close', () => reject(incompleteBodyFault()))
  })
}

/** Sends an answer over `node:http`: its head at once, which costs less than one header after the other. */
export function sendToNode(method: string, response: NodeResponse, { status, headers, body }: ServerResponse): void {
  if (response.destroyed) return
  const content = encodeBody(body)
  const sent: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) sent[name] = value
  }
  // What has been given its length otherwise keeps it.
  const isFramed = sent['content-length'] !== undefined || sent['transfer-encoding'] !== undefined
  if (!isFramed && (body !== undefined || mayHaveContent(method, status))) {
    sent['content-length'] = String(content.length)
  }
  response.writeHead(status, sent)
  if (method === 'HEAD' || body === undefined) response.end()
  else if (typeof content.data === 'string') response.end(content.data, 'latin1')
  else response.end(content.data)
}

/** A body as it is sent, and how many bytes it has; text only where each character is one byte. */
interface EncodedBody {
  readonly data: string | Uint8Array
  readonly length: number
}

const encoder = new TextEncoder()

/** Texts of more characters are encoded where they stay. */
const maxScratchLength = 65_536
const scratch = new Uint8Array(maxScratchLength)

/** Most texts are ASCII, which `node:http` copies as it is once it is told so. To find out is to count the bytes. */
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

/** Anything that answers a `Request` with a `Response`: a service with something wrapped around it. */
type FetchHandler = (request: Request) => Response | Promise<Response>

/** Asks a handler that speaks `Request` and `Response`; bodies are held in memory whole. */
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

/** Not iterated over: the types of `dom` alone do not know that of headers. */
function headerPairs({ headers }: Response): readonly (readonly [string, string])[] {
  const all: (readonly [string, string])[] = []
  headers.forEach((value, name) => {
    all.push([name, value])
  })
  return all
}
