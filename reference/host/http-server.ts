import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { toNodeListener } from '../../runtime/server/index.js'
import { type HttpHandler, toService } from './http-handler.js'

/** Where and how a service listens. */
export interface HttpOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Characters that a request target may have. */
  readonly urlLimit: number
  /** Milliseconds that requests get to end when the server stops. Default: 10 seconds. */
  readonly drainTime?: number
  /** Replaces some of the limits of time. */
  readonly timeouts?: Partial<HttpTimeouts>
}

/** A server that accepts requests. */
export interface HttpServer {
  /** Scheme, host and port, `http://127.0.0.1:8080`. */
  readonly origin: string
  /** Whether it has begun to stop. */
  readonly isStopping: () => boolean
  /** Accepts nothing more, waits for the requests that run, and ends. */
  readonly stop: () => Promise<void>
}

/** How long a caller may take, in milliseconds. */
interface HttpTimeouts {
  /** Until the header is there: 15 seconds. */
  readonly headers: number
  /** Until the whole request is there: 60 seconds. */
  readonly request: number
  /** Between two requests: 65 seconds, longer than the minute for which balancers keep their connections. */
  readonly keepAlive: number
  /** Without a byte in either direction: 120 seconds. */
  readonly silence: number
  /** How often those who take too long are looked for: every 5 seconds. */
  readonly watch: number
}

const usual: HttpTimeouts = { headers: 15_000, request: 60_000, keepAlive: 65_000, silence: 120_000, watch: 5_000 }

/** Bytes that the header fields may have, beside the request line. */
const headerFieldBytes = 16_384

/**
 * Serves over HTTP/1.1.
 *
 * @throws what `listen` throws: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`
 */
export async function serveHttp(answer: HttpHandler, options: HttpOptions): Promise<HttpServer> {
  const { host, port, urlLimit, drainTime = 10_000 } = options
  const timeouts = { ...usual, ...options.timeouts }
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
      // It would refuse without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      if (stopping !== undefined) response.setHeader('connection', 'close')
      if (hasHost(request)) listener(request, response)
      else sendError(response, httpErrors.host)
    },
  )
  server.setTimeout(timeouts.silence)
  server.on('clientError', (error: Error, socket: Socket) => handleClientError(error, socket))
  server.on('checkExpectation', (_request, response: ServerResponse) => sendError(response, httpErrors.expectation))
  server.on('connect', (_request, socket) => sendErrorOnSocket(socket, httpErrors.tunnel))
  await listening(server, port, host)

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

/** @see RFC 9112, 3.2: one in HTTP/1.1, and never two */
function hasHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isHostField(rawHeaders[index])) hosts++
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

function isHostField(name: string | undefined): boolean {
  return name?.length === 4 && name.toLowerCase() === 'host'
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
 * Why a message is refused before the service sees it: what HTTP itself demands, which no spec declares. The answer has
 * the shape of all other errors.
 */
interface HttpError {
  readonly status: number
  /** The reason phrase, `Bad Request`. */
  readonly reason: string
  readonly code: string
  readonly message: string
}

const badRequest = { status: 400, reason: 'Bad Request', code: 'BadRequest' } as const

/** @see RFC 9112, 3.2 (Host), 6.3 (message body length); RFC 9110, 9.3.6 (CONNECT), 10.1.1 (Expect), 15.5.9, 15.5.15 */
const httpErrors = {
  malformed: { ...badRequest, message: 'The request is not well-formed HTTP/1.1.' },
  host: { ...badRequest, message: 'A request of HTTP/1.1 has one header Host, with the name that the caller used.' },
  expectation: {
    status: 417,
    reason: 'Expectation Failed',
    code: 'ExpectationFailed',
    message: 'The header Expect can ask for 100-continue only.',
  },
  tunnel: {
    status: 405,
    reason: 'Method Not Allowed',
    code: 'notAllowed',
    message: 'This is no proxy: CONNECT is not allowed.',
  },
  tooLong: {
    status: 414,
    reason: 'URI Too Long',
    code: 'UriTooLong',
    message: 'The request line and the header fields are too long.',
  },
  timeout: {
    status: 408,
    reason: 'Request Timeout',
    code: 'RequestTimeout',
    message: 'The request did not come to its end in time.',
  },
} as const satisfies Readonly<Record<string, HttpError>>

/** The body of the answer, as it is sent. */
function errorBody({ code, message }: HttpError): string {
  return JSON.stringify({ error: { code, message } })
}

/** Answers a request that could be read, and that HTTP wants refused. What comes after it is another matter. */
function sendError(response: ServerResponse, refusal: HttpError): void {
  const body = errorBody(refusal)
  const type = 'application/json;charset=utf-8'
  response.writeHead(refusal.status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** Milliseconds that a caller gets to read the answer, still sending. */
const lingering = 2_000

/**
 * Answers on a connection on which no request could be read, and ends it. What still comes in is thrown away for a
 * moment: a connection that is cut at once would take the answer with it.
 */
function sendErrorOnSocket(socket: Duplex, refusal: HttpError): void {
  const body = errorBody(refusal)
  const allow = refusal.status === 405 ? 'allow: \r\n' : ''
  socket.removeAllListeners('data')
  // The caller may be gone before the answer is; nobody else listens on a connection that was meant for a tunnel.
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.reason}\r\ncontent-type: application/json;charset=utf-8\r\n${allow}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), lingering).unref()
}

const refusals: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: httpErrors.tooLong,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.timeout,
}

/** Connections that were answered and are about to end: what still comes in is no request either. */
const refused = new WeakSet<Socket>()

/** Answers what is no request at all, in the shape of other errors, and ends the connection. */
function handleClientError(error: Error, socket: Socket): void {
  if (refused.has(socket)) return
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  refused.add(socket)
  sendErrorOnSocket(socket, (Object.hasOwn(refusals, code) ? refusals[code] : undefined) ?? httpErrors.malformed)
}
