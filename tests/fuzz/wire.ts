import { connect, type Socket } from 'node:net'

/** A request as it goes over the wire, sound or not. */
export interface RawRequest {
  readonly bytes: Buffer
  readonly method: string
  /**
   * `refused`: malformed by its making, so that an error is due; `harmless`: perhaps sound, and if so nothing but a
   * question.
   */
  readonly expected: 'refused' | 'harmless'
  /** Whether nothing can follow on the same connection: where its message ends is not certain. */
  readonly last: boolean
}

/** What a request is made of. */
interface RequestParts {
  readonly method?: string
  /** Behind `/v1.0`, written as it is; what is not ASCII goes out as UTF-8. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly expected?: RawRequest['expected']
}

export const token = 'let-me-in'
const serviceRoot = '/v1.0'

/** A request with a credential, and with JSON for a body unless its headers say otherwise; refused unless told otherwise. */
export function rawRequest({
  method = 'GET',
  path,
  headers = {},
  body,
  expected = 'refused',
}: RequestParts): RawRequest {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const fields: Record<string, string> = { host: 'service.test', authorization: `Bearer ${token}` }
  if (content !== undefined) {
    fields['content-type'] = 'application/json'
    fields['content-length'] = String(content.length)
  }
  Object.assign(fields, headers)
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  // A blank would end the target, and turn the rest into a version of HTTP: that is for another family of requests.
  const target = (serviceRoot + path).replaceAll(/[\0- \x7f]/g, encodeURIComponent)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return { bytes: content === undefined ? head : Buffer.concat([head, content]), method, expected, last: false }
}

/** A message that may be no HTTP at all; nothing comes after it. */
export function rawMessage(bytes: Buffer, expected: RawRequest['expected'] = 'refused'): RawRequest {
  const [method = ''] = bytes.subarray(0, 20).toString('latin1').split(' ')
  return { bytes, method, expected, last: true }
}

/** Sends requests one after the other, over one connection as long as it lasts. */
interface Connection {
  /** @throws Error when there is no answer in time, or the connection ends without one */
  readonly exchange: (request: RawRequest) => Promise<RawResponse>
  readonly close: () => void
}

/** Milliseconds after which a service counts as hanging: far more than a request takes on an overloaded machine. */
const responseTimeout = 120_000

/** A connection to a port of this machine, made when it is first needed. */
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
      // Whoever writes more than the service wants to read still gets to read the answer.
      socket.on('error', () => undefined)
      // Half a message needs an end. A whole one must not have it: Node.js takes that for a caller who has gone.
      if (request.last && request.expected === 'refused') socket.end(request.bytes)
      else socket.write(request.bytes)
    })
  return { exchange, close: () => kept?.destroy() }
}

/** Sends a request, or the beginning of one, and cuts the connection after some milliseconds, whatever comes. */
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

/** An answer as it came over the wire. */
export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Reads an answer out of what was received; undefined while it is not whole.
 *
 * @param ended whether nothing more comes
 * @throws Error for what is no answer of HTTP/1.1
 * @see RFC 9112, 6.3 (message body length)
 */
function readResponse(received: Buffer, method: string, ended: boolean): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...fields] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (Number.isNaN(status)) throw new Error(`This is no status line: ${first}`)
  const rest = received.subarray(end + 4)
  // An interim answer, such as 100 (Continue), comes before the one that counts.
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
