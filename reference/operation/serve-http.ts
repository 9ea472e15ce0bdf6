import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toNodeListener } from '../../runtime/server/index.js'
import type { Answering } from './answering.js'
import { httpRefusals } from './http-refusal.js'
import { refuseResponse } from './refuse-response.js'
import { refuseSocket } from './refuse-socket.js'
import { serviceOf } from './service-of.js'
import { socketError } from './socket-error.js'

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
export interface HttpTimeouts {
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
export async function serveHttp(answer: Answering, options: HttpOptions): Promise<HttpServer> {
  const { host, port, urlLimit, drainTime = 10_000 } = options
  const timeouts = { ...usual, ...options.timeouts }
  let stopping: Promise<void> | undefined
  const listener = toNodeListener(
    serviceOf(async incoming => {
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
      else refuseResponse(response, httpRefusals.host)
    },
  )
  server.setTimeout(timeouts.silence)
  server.on('clientError', (error: Error, socket: Socket) => socketError(error, socket))
  server.on('checkExpectation', (_request, response: ServerResponse) =>
    refuseResponse(response, httpRefusals.expectation),
  )
  server.on('connect', (_request, socket) => refuseSocket(socket, httpRefusals.tunnel))
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
