import { Agent, type IncomingMessage, request as openHttp } from 'node:http'
import { request as openHttps, Agent as SecureAgent } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** A request with all that it carries, credential and all. */
export interface WireRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** What one request brought, redirect or not. */
export interface WireResponse {
  readonly status: number
  /** By name in lower case; what came more than once is joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent when it is longer than allowed. */
  readonly text: string | undefined
}

/** A request that was sent. */
export interface PendingResponse {
  /** Rejects when there is no connection, or it breaks. */
  readonly response: Promise<WireResponse>
  /** Gives it up. Its answer need not settle. */
  readonly cancel: () => void
}

/** Sends one request and follows no redirect. @param bodyLimit bytes of a body that are read at most, unpacked */
export type Sender = (request: WireRequest, bodyLimit: number) => PendingResponse

/** Sends requests to a function that answers them in the same process. */
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

/** Reads a body as text, up to a number of bytes; absent when there are more. */
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

/** What bodies may come packed in. */
const acceptEncoding = 'gzip, deflate, br'

/**
 * Sends requests over connections that are kept. The global `fetch` would do the same for more than twice the processor
 * time, which counts with thousands of requests.
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
 * The bytes of a body without the packing that its Content-Encoding names; absent when they are more than allowed. Packings
 * that are not known stay.
 *
 * @throws {Error} when the bytes are not packed so
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

/** Reads an answer to its end, or until its body is longer than allowed. */
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
