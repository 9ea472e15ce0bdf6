import { connect, type Socket } from 'node:net'

/** A request as bytes, valid or not. */
export interface RawRequest {
  readonly bytes: Buffer
  readonly method: string
  /**
   * `refused`: malformed, so it must get an error. `harmless`: may be valid, and then it only reads.
   */
  readonly expected: 'refused' | 'harmless'
  /** Whether no request can follow on the same connection, because the end of the message is uncertain. */
  readonly last: boolean
}

interface RequestParts {
  readonly method?: string
  /** The path after `/v1.0`, sent unchanged as UTF-8. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly expected?: RawRequest['expected']
}

export const token = 'let-me-in'
const serviceRoot = '/v1.0'

/** A request with a credential. Its body is JSON unless its headers say otherwise, and it must be refused unless `expected` says otherwise. */
export function rawRequest({
  method = 'GET',
  path,
  headers = {},
  body,
  expected = 'refused',
}: RequestParts): RawRequest {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const fields: Record<string, string> = { host: 'localhost', authorization: `Bearer ${token}` }
  if (content !== undefined) {
    fields['content-type'] = 'application/json'
    fields['content-length'] = String(content.length)
  }
  Object.assign(fields, headers)
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  // A space would end the target and turn the rest into the HTTP version, which another family of requests tests.
  const target = (serviceRoot + path).replaceAll(/[\0- \x7f]/g, encodeURIComponent)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return { bytes: content === undefined ? head : Buffer.concat([head, content]), method, expected, last: false }
}

/** A message that may not be HTTP. No request follows on its connection. */
export function rawMessage(bytes: Buffer, expected: RawRequest['expected'] = 'refused'): RawRequest {
  const [method = ''] = bytes.subarray(0, 20).toString('latin1').split(' ')
  return { bytes, method, expected, last: true }
}

/** Sends requests one after the other, over one connection while it lasts. */
interface Connection {
  /** @throws {Error} if there is no response in time, or the connection ends without one */
  readonly exchange: (request: RawRequest) => Promise<RawResponse>
  readonly close: () => void
}

/** Milliseconds after which a service counts as hanging: far more than a request takes on an overloaded machine. */
const responseTimeout = 120_000

/** A connection to a local port, opened on the first request. */
export function createConnection(port: number): Connection {
  let kept: Socket | undefined
  const socketFor = ({ last }: RawRequest): Socket => {
    if (last || kept === undefined || kept.destroyed || !kept.writable) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      if (last) return socket
      kept = socket
    }
    return kept
  }
  const exchange = (request: RawRequest): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      const socket = socketFor(request)
      let received = Buffer.alloc(0)
      const settle = (finish: () => void): void => {
        clearTimeout(timer)
        socket.removeAllListeners()
        socket.on('error', () => undefined)
        finish()
      }
      const fail = (problem: string): void =>
        settle(() => {
          socket.destroy()
          reject(new Error(`${problem} Received: ${received.subarray(0, 200).toString('latin1')}`))
        })
      const timer = setTimeout(() => fail(`No answer within ${responseTimeout} ms.`), responseTimeout)
      const look = (ended: boolean): void => {
        const response = readResponse(received, request.method, ended)
        if (response === undefined) return
        settle(() => {
          if (ended || request.last || response.headers.get('connection') === 'close') {
            socket.destroy()
            if (socket === kept) kept = undefined
          }
          resolve(response)
        })
      }
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        look(false)
      })
      socket.on('close', () => {
        look(true)
        fail('The connection ended without an answer.')
      })
      // A client that sends more than the service reads still gets the response.
      socket.on('error', () => undefined)
      // An incomplete message needs an end. A complete one must not have it: Node.js treats that as a disconnected client.
      if (request.last && request.expected === 'refused') socket.end(request.bytes)
      else socket.write(request.bytes)
    })
  return { exchange, close: () => kept?.destroy() }
}

/** Sends a request, or a part of one, and resets the connection after some milliseconds. */
export function disconnect(port: number, bytes: Buffer, milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(bytes)
      setTimeout(() => {
        socket.resetAndDestroy()
        resolve()
      }, milliseconds)
    })
    socket.on('error', () => resolve())
  })
}

/** A response as it was received. */
export interface RawResponse {
  readonly status: number
  /** Header fields, with names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Parses a response; undefined while it is incomplete.
 *
 * @param ended whether the connection has ended
 * @throws {Error} if it is not an HTTP/1.1 response
 * @see RFC 9112, 6.3 (message body length)
 */
function readResponse(received: Buffer, method: string, ended: boolean): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...fields] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (Number.isNaN(status)) throw new Error(`This is no status line: ${first}`)
  const rest = received.subarray(end + 4)
  // An interim response, such as 100 (Continue), precedes the final one.
  if (status < 200) return readResponse(rest, method, ended)
  const headers = new Map<string, string>()
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers.set(field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim())
  }
  const body = bodyOf(rest, headers, method === 'HEAD' || status === 204 || status === 304, ended)
  return body === undefined ? undefined : { status, headers, body: body.toString('utf8') }
}

function bodyOf(rest: Buffer, headers: ReadonlyMap<string, string>, none: boolean, ended: boolean): Buffer | undefined {
  if (none) return Buffer.alloc(0)
  const length = headers.get('content-length')
  if (length !== undefined) return rest.length < Number(length) ? undefined : rest.subarray(0, Number(length))
  if (headers.get('transfer-encoding') === 'chunked') return dechunked(rest)
  return ended ? rest : undefined
}

function dechunked(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let position = 0; ; ) {
    const line = rest.indexOf('\r\n', position)
    if (line < 0) return undefined
    const size = Number.parseInt(rest.subarray(position, line).toString('latin1'), 16)
    const end = line + 2 + size + 2
    if (rest.length < end) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(line + 2, line + 2 + size))
    position = end
  }
}
