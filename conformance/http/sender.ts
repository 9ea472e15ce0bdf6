import { Agent, type IncomingMessage, request as openHttp } from 'node:http'
import { request as openHttps, Agent as SecureAgent } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** A complete request, including credentials. */
export interface WireRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** The response to one request; redirects are not followed. */
export interface WireResponse {
  readonly status: number
  /** Names are in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent if it exceeds the limit. */
  readonly text: string | undefined
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
export type Sender = (request: WireRequest, bodyLimit: number) => PendingResponse

/** Calls a function in the same process instead of the network. */
export function inProcessSender(fetch: (request: Request) => Promise<Response>): Sender {
  return ({ method, url, headers, body }, bodyLimit) => {
    const controller = new AbortController()
    const { signal } = controller
    const send = async (): ReturnType<Sender>['response'] => {
      const request = new Request(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
      })
      const response = await fetch(request)
      const text = await readBody(response, bodyLimit)
      return { status: response.status, headers: Object.fromEntries(response.headers), text }
    }
    return { response: send(), cancel: () => controller.abort() }
  }
}

/** Reads a body as text. Returns `undefined` if it exceeds the limit in bytes. */
async function readBody(response: Response, limit: number): Promise<string | undefined> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
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
  return ({ method, url, headers, body }, bodyLimit) => {
    const outgoing = open(new URL(url), { method, agent, headers: { 'accept-encoding': acceptEncoding, ...headers } })
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
    }).then(incoming => readHttpMessage(incoming, bodyLimit))
    outgoing.end(body)
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

const utf8 = new TextDecoder()

/** Reads a response to its end, or until its body exceeds the limit. */
async function readHttpMessage(incoming: IncomingMessage, bodyLimit: number): Promise<WireResponse> {
  const headers = headersOf(incoming.rawHeaders)
  const answer = (text: string | undefined): WireResponse => ({ status: incoming.statusCode ?? 0, headers, text })
  const body = await readBytes(incoming, bodyLimit)
  const plain = body && (await decompress(body, headers['content-encoding'], bodyLimit))
  return answer(plain && utf8.decode(plain))
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
