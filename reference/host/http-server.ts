import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { toNodeListener } from '../../runtime/server/index.js'
import { type ConnectionLimits, createConnectionLimiter, defaultConnectionLimits } from './connections.js'
import { type HttpHandler, toService } from './middleware.js'
import { isLoopback } from './page.js'

/** Why the `Host` of a request is refused. */
export type HostProblem = 'missing' | 'invalid' | 'unknown'

/** The number of names to keep the answer for. */
const maxNames = 64

/**
 * Returns the function that checks the `Host` header of a request. HTTP/1.1 requires exactly one, with a valid value. A
 * server that listens on loopback refuses names of other machines: a page in a browser could otherwise read the service
 * through a name that resolves to 127.0.0.1 (DNS rebinding).
 *
 * @param listensOn the host that the server listens on
 * @param known names that the server has besides those of loopback, with or without a port
 * @see RFC 9112, 3.2 (Host); RFC 9110, 7.4 (rejecting misdirected requests)
 */
export function hostCheck(
  listensOn: string,
  known: readonly string[] = [],
): (request: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>) => HostProblem | undefined {
  const names = new Set(known.map(nameOf))
  const answers = new Map<string, HostProblem | undefined>()
  const problemOf = (host: string): HostProblem | undefined => {
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return 'invalid'
    const isKnown = !isLoopback(listensOn) || isLoopback(host) || names.has(nameOf(host))
    return isKnown ? undefined : 'unknown'
  }
  return ({ httpVersion, rawHeaders }) => {
    const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && isHostField(rawHeaders[index - 1]))
    const [host, ...others] = hosts
    if (host === undefined) return httpVersion === '1.0' ? undefined : 'missing'
    if (others.length > 0) return 'missing'
    if (answers.has(host)) return answers.get(host)
    const problem = problemOf(host)
    if (answers.size < maxNames) answers.set(host, problem)
    return problem
  }
}

function isHostField(name: string | undefined): boolean {
  return name?.length === 4 && name.toLowerCase() === 'host'
}

/** The name without its port, in lower case. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

/** Where and how a server listens. */
export interface HttpOptions {
  readonly host: string
  /** On loopback: the names in `Host` that the server has besides those of loopback. Others get 421. */
  readonly knownHosts?: readonly string[]
  /** 0: any free port. */
  readonly port: number
  /** The maximum length of a request target in characters. */
  readonly urlLimit: number
  /** Milliseconds that running requests may take when the server stops. Default: 10 seconds. */
  readonly drainTime?: number
  /** Overrides for individual limits of connections. */
  readonly limits?: Partial<ConnectionLimits>
  /** Overrides for individual timeouts. */
  readonly timeouts?: Partial<HttpTimeouts>
  /**
   * Called if a connection cannot be accepted, usually because the process has no file descriptor left. The server goes on,
   * and takes the connection when it can.
   */
  readonly onError?: (error: Error) => void
  /** Called with the status of each request or connection that is refused before the handler sees it. */
  readonly onRefuse?: (status: number) => void
}

/** A server that accepts requests. */
export interface HttpServer {
  /** Scheme, host and port, such as `http://127.0.0.1:8080`. */
  readonly origin: string
  readonly isStopping: () => boolean
  /** Stops accepting requests, waits for those that are running, and closes the server. */
  readonly stop: () => Promise<void>
}

/** Timeouts in milliseconds. */
interface HttpTimeouts {
  /** To receive the header: 15 seconds. */
  readonly headers: number
  /** To receive the whole request: 60 seconds. */
  readonly request: number
  /** Between two requests: 65 seconds, longer than the 60 seconds for which most load balancers keep a connection. */
  readonly keepAlive: number
  /** Without any traffic: 120 seconds. */
  readonly silence: number
  /** The interval between timeout checks: 5 seconds. */
  readonly watch: number
}

const defaultTimeouts: HttpTimeouts = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 65_000,
  silence: 120_000,
  watch: 5_000,
}

/** The maximum size of the header fields, in addition to the request line. */
const headerFieldBytes = 16_384

/**
 * Serves HTTP/1.1.
 *
 * @throws the errors of `listen`: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`
 */
export async function serveHttp(answer: HttpHandler, options: HttpOptions): Promise<HttpServer> {
  const { host, port, urlLimit, drainTime = 10_000, onRefuse = () => {} } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const limiter = createConnectionLimiter({ ...defaultConnectionLimits, ...options.limits })
  const hostProblem = hostCheck(host, options.knownHosts)
  const refuse = (response: ServerResponse, httpError: HttpError): void => {
    onRefuse(httpError.status)
    sendError(response, httpError)
  }
  let stopping: Promise<void> | undefined
  const listener = toNodeListener(
    toService(async incoming => {
      const outgoing = await answer(incoming)
      return stopping === undefined ? outgoing : { ...outgoing, headers: { ...outgoing.headers, connection: 'close' } }
    }),
  )
  const server = createServer(
    {
      maxHeaderSize: urlLimit + headerFieldBytes,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.watch,
      // Node.js would refuse such a request without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      limiter.enter(request, response, () => {
        if (stopping !== undefined) response.setHeader('connection', 'close')
        const problem = hostProblem(request)
        if (problem === undefined) listener(request, response)
        else refuse(response, hostErrors[problem])
      })
    },
  )
  server.on('connection', (socket: Socket) => {
    if (limiter.admit(socket)) return
    onRefuse(httpErrors.connections.status)
    refuseConnection(socket)
  })
  server.setTimeout(timeouts.silence)
  server.on('clientError', (error: Error, socket: Socket) => handleClientError(error, socket, onRefuse))
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    limiter.enter(request, response, () => refuse(response, httpErrors.expectation)),
  )
  server.on('connect', (_request, socket) => {
    onRefuse(httpErrors.tunnel.status)
    sendErrorOnSocket(socket, httpErrors.tunnel)
  })
  await listening(server, port, host)
  server.on('error', error => options.onError?.(error))

  const drain = async (): Promise<void> => {
    const closed = new Promise<void>(resolve => void server.close(() => resolve()))
    server.closeIdleConnections()
    const deadline = setTimeout(() => server.closeAllConnections(), drainTime)
    await closed
    clearTimeout(deadline)
  }
  return {
    origin: originOf(server, host),
    isStopping: () => stopping !== undefined,
    stop: () => {
      stopping ??= drain()
      return stopping
    },
  }
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function originOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * A violation of HTTP itself, which is answered before the service sees the request. The body has the format of all other
 * errors.
 */
interface HttpError {
  readonly status: number
  /** The reason phrase, such as `Bad Request`. */
  readonly reason: string
  readonly code: string
  readonly message: string
}

const badRequest = { status: 400, reason: 'Bad Request', code: 'BadRequest' } as const

/** @see RFC 9112, 6.3 (message body length); RFC 9110, 9.3.6 (CONNECT), 10.1.1 (Expect), 15.5.9, 15.5.15 */
const httpErrors = {
  malformed: { ...badRequest, message: 'The request is not well-formed HTTP/1.1.' },
  expectation: {
    status: 417,
    reason: 'Expectation Failed',
    code: 'ExpectationFailed',
    message: 'The Expect header supports 100-continue only.',
  },
  tunnel: {
    status: 405,
    reason: 'Method Not Allowed',
    code: 'notAllowed',
    message: 'This server is not a proxy. CONNECT is not allowed.',
  },
  tooLong: {
    status: 414,
    reason: 'URI Too Long',
    code: 'UriTooLong',
    message: 'The request line and the header fields are too long.',
  },
  connections: {
    status: 503,
    reason: 'Service Unavailable',
    code: 'TooManyConnections',
    message: 'The server has too many connections, or too many from this address. Close some, and try again.',
  },
  timeout: {
    status: 408,
    reason: 'Request Timeout',
    code: 'RequestTimeout',
    message: 'The request was not complete in time.',
  },
} as const satisfies Readonly<Record<string, HttpError>>

/** @see RFC 9112, 3.2 (Host); RFC 9110, 15.5.20 (421 Misdirected Request) */
const hostErrors: Readonly<Record<HostProblem, HttpError>> = {
  missing: { ...badRequest, message: 'An HTTP/1.1 request needs exactly one Host header.' },
  invalid: { ...badRequest, message: 'The Host header must be a host name or an address, and a port.' },
  unknown: {
    status: 421,
    reason: 'Misdirected Request',
    code: 'UnknownHost',
    message:
      'The server listens on loopback and does not know the name in the Host header. Use 127.0.0.1 or localhost, or start ' +
      'it with --public-url or --allowed-host.',
  },
}

function errorBody({ code, message }: HttpError): string {
  return JSON.stringify({ error: { code, message } })
}

/** Answers a request that Node.js could parse. */
function sendError(response: ServerResponse, httpError: HttpError): void {
  const body = errorBody(httpError)
  const type = 'application/json;charset=utf-8'
  response.writeHead(httpError.status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** Answers on a connection that is one too many, and closes it at once. */
function refuseConnection(socket: Socket): void {
  const body = errorBody(httpErrors.connections)
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json;charset=utf-8\r\nretry-after: 1\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Milliseconds for which the caller can read the answer while it is still sending. */
const lingerTime = 2_000

/**
 * Answers on a connection without a valid request, and closes it. Input is discarded for a moment first: closing the
 * connection at once would discard the answer as well.
 */
function sendErrorOnSocket(socket: Duplex, httpError: HttpError): void {
  const body = errorBody(httpError)
  const allow = httpError.status === 405 ? 'allow: \r\n' : ''
  socket.removeAllListeners('data')
  // The caller may disconnect before the answer is sent. No one else handles errors of this connection.
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.end(
    `HTTP/1.1 ${httpError.status} ${httpError.reason}\r\ncontent-type: application/json;charset=utf-8\r\n${allow}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), lingerTime).unref()
}

const clientErrors: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: httpErrors.tooLong,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.timeout,
}

/** Connections that were answered and are about to close. Further input on them is ignored. */
const answeredSockets = new WeakSet<Socket>()

/** Answers input that is not an HTTP request, in the format of other errors, and closes the connection. */
function handleClientError(error: Error, socket: Socket, onRefuse: (status: number) => void): void {
  if (answeredSockets.has(socket)) return
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answeredSockets.add(socket)
  const httpError = (Object.hasOwn(clientErrors, code) ? clientErrors[code] : undefined) ?? httpErrors.malformed
  onRefuse(httpError.status)
  sendErrorOnSocket(socket, httpError)
}
