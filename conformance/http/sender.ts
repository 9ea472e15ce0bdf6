import { Agent, type IncomingMessage, request as openHttp } from 'node:http'
import { request as openHttps, Agent as SecureAgent } from 'node:https'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { OptionsError } from '../options.js'

/** A complete request, including credentials. */
export interface WireRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** In how many chunks to send the body. Absent: as a whole. */
  readonly chunks?: number | undefined
}

/** The response to one request; redirects are not followed. */
export interface WireResponse {
  readonly status: number
  /** Names are in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent if it exceeds the limit. */
  readonly text: string | undefined
  /** Whether the body begins with a byte order mark, which `text` lacks. */
  readonly hasByteOrderMark?: true
}

/** A request in flight. */
export interface PendingResponse {
  /** Rejects if the connection fails. */
  readonly response: Promise<WireResponse>
  /** Cancels the request. Its response may never settle. */
  readonly cancel: () => void
}

/**
 * Sends one request without following redirects.
 *
 * @param bodyLimit maximum size of the decompressed body in bytes
 */
type Sender = (request: WireRequest, bodyLimit: number) => PendingResponse

/** Calls a function in the same process instead of the network. */
function inProcessSender(fetch: (request: Request) => Promise<Response>): Sender {
  return (sent, bodyLimit) => {
    const { method, url, headers, body } = sent
    const controller = new AbortController()
    const { signal } = controller
    const send = async (): ReturnType<Sender>['response'] => {
      const chunks = chunksOf(sent)
      const request = new Request(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
        ...(chunks !== undefined && { body: ReadableStream.from(chunks), duplex: 'half' }),
      })
      const response = await fetch(request)
      const text = await readBody(response, bodyLimit)
      return { status: response.status, headers: Object.fromEntries(response.headers), ...withoutMark(text) }
    }
    return { response: send(), cancel: () => controller.abort() }
  }
}

/** The chunks of a body. Undefined if it is sent as a whole. */
function chunksOf({ body = '', chunks }: WireRequest): readonly Buffer[] | undefined {
  if (chunks === undefined) return undefined
  const bytes = Buffer.from(body)
  const length = Math.max(1, Math.ceil(bytes.length / chunks))
  return Array.from({ length: chunks }, (_, index) => bytes.subarray(index * length, (index + 1) * length))
}

/** The text of a body that was decoded with its byte order mark, if it has one. */
function withoutMark(text: string | undefined): Pick<WireResponse, 'text' | 'hasByteOrderMark'> {
  return text?.startsWith('\uFEFF') === true ? { text: text.slice(1), hasByteOrderMark: true } : { text }
}

/** Reads a body as text, with its byte order mark. Returns `undefined` if it exceeds the limit in bytes. */
async function readBody(response: Response, limit: number): Promise<string | undefined> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > limit) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

const acceptEncoding = 'gzip, deflate, br'

/**
 * Sends requests over keep-alive connections. The global `fetch` takes more than twice the CPU time, which matters with
 * thousands of requests.
 */
export function networkSender(protocol: 'http:' | 'https:'): Sender {
  const open = protocol === 'https:' ? openHttps : openHttp
  const agent = protocol === 'https:' ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  return (sent, bodyLimit) => {
    const { method, url, headers, body } = sent
    const chunks = chunksOf(sent)
    const outgoing = open(new URL(url), {
      method,
      // A service that does not know chunks takes them for the next request on the connection.
      agent: chunks === undefined ? agent : false,
      headers: { 'accept-encoding': acceptEncoding, ...headers },
    })
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
    }).then(incoming => readHttpMessage(incoming, bodyLimit))
    if (chunks === undefined) outgoing.end(body)
    else Readable.from(chunks).pipe(outgoing)
    return { response: answer, cancel: () => outgoing.destroy() }
  }
}

const decompressors = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/**
 * Decodes a body according to its Content-Encoding. Returns `undefined` if the result exceeds the limit. Ignores
 * unknown encodings.
 *
 * @throws {Error} if the bytes do not match the encoding
 * @see RFC 9110, 8.4
 */
async function decompress(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer | undefined> {
  const names = (encoding ?? '').toLowerCase().split(',')
  let plain = body
  for (const name of names.reverse()) {
    const open = decompressors.get(name.trim())
    if (open === undefined || plain.length === 0) continue
    try {
      plain = await open(plain, { maxOutputLength: limit })
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
  return plain
}

/** It keeps a byte order mark. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads a response to its end, or until its body exceeds the limit. */
async function readHttpMessage(incoming: IncomingMessage, bodyLimit: number): Promise<WireResponse> {
  const headers = headersOf(incoming.rawHeaders)
  const body = await readBytes(incoming, bodyLimit)
  const plain = body && (await decompress(body, headers['content-encoding'], bodyLimit))
  return { status: incoming.statusCode ?? 0, headers, ...withoutMark(plain && utf8.decode(plain)) }
}

function readBytes(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      incoming.destroy()
      resolve(undefined)
    })
    incoming.on('end', () => resolve(Buffer.concat(chunks)))
    incoming.on('error', reject)
  })
}

function headersOf(raw: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const before = headers.get(name)
    const value = raw[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

/** Limits the request rate and the number of concurrent requests. */
interface RateLimiter {
  /**
   * Waits until a request may start or the signal aborts.
   *
   * @param until clock time; returns at once if the wait would last until then
   * @returns a function to call when the request ends; absent if the request cannot start before `until`
   */
  readonly acquire: (until: number, signal: AbortSignal | undefined) => Promise<(() => void) | undefined>
  /** Delays all further requests by this many milliseconds. */
  readonly backOff: (milliseconds: number) => void
}

/**
 * @param rate requests per second; no limit if absent
 * @param concurrency maximum concurrent requests
 */
export function createRateLimiter(rate: number | undefined, concurrency: number, now: () => number): RateLimiter {
  const waiting: (() => void)[] = []
  let running = 0
  let free = now()
  let held = now()
  const ended = (): void => {
    running--
    waiting.shift()?.()
  }
  return {
    acquire: async (until, signal) => {
      while (running >= concurrency) await new Promise<void>(resolve => waiting.push(resolve))
      running++
      for (;;) {
        const start = Math.max(free, held, now())
        if (start >= until) {
          ended()
          return undefined
        }
        if (rate !== undefined) free = start + 1000 / rate
        await pause(start - now(), signal)
        // Another response may have extended the wait meanwhile.
        if (held <= start || signal?.aborted === true) return ended
      }
    },
    backOff: milliseconds => {
      held = Math.max(held, now() + milliseconds)
    },
  }
}

/** Maximum delay of a timer in milliseconds; a longer one would fire at once. */
const maxTimeout = 2 ** 31 - 1

/** Waits. Returns early, without an error, when the signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0 && signal?.aborted !== true; left -= maxTimeout) {
    await sleep(Math.min(left, maxTimeout), signal)
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timeout = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Where requests go: a URL, or a function in the same process. */
export interface Target {
  /** The address of the service root, without a trailing slash. */
  readonly root: string
  readonly origin: string
  readonly send: Sender
}

/** A placeholder for services without an address; never resolved. */
const inProcessOrigin = 'http://service.invalid'

/**
 * @param target the address of the root, or a function
 * @param version the path segment of the root, for a function
 * @throws {OptionsError} if the address is not an HTTP URL or has more than scheme, host and path
 */
export function openTarget(target: string | URL | ((request: Request) => Promise<Response>), version: string): Target {
  if (typeof target === 'function') {
    return {
      root: `${inProcessOrigin}/${encodeURIComponent(version)}`,
      origin: inProcessOrigin,
      send: inProcessSender(target),
    }
  }
  const { url, protocol } = parseTargetUrl(target)
  const root = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  return { root, origin: url.origin, send: networkSender(protocol) }
}

function parseTargetUrl(target: string | URL): { readonly url: URL; readonly protocol: 'http:' | 'https:' } {
  const advice = 'Give the address of the service root including the version, such as http://localhost:8080/v1.0.'
  if (!URL.canParse(String(target))) throw new OptionsError(`"${target}" is not a valid address. ${advice}`)
  const url = new URL(target)
  const { protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new OptionsError(`"${target}" is not an HTTP address. ${advice}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionsError('The address contains a credential. Use a token instead, so that reports do not show it.')
  }
  // The message does not repeat the query: it may hold an API key.
  if (url.search !== '' || url.hash !== '') {
    throw new OptionsError(
      `The address contains a ${url.search === '' ? 'fragment ("#…")' : 'query ("?…")'}, but requests have their own query. Remove it. If the service needs a parameter with each request, give it as a header.`,
    )
  }
  return { url, protocol }
}
