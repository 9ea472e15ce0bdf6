import type { Socket } from 'node:net'
import { type HttpRefusal, httpRefusals } from './http-refusal.js'
import { refuseSocket } from './refuse-socket.js'

const refusals: Readonly<Record<string, HttpRefusal>> = {
  HPE_HEADER_OVERFLOW: httpRefusals.tooLong,
  ERR_HTTP_REQUEST_TIMEOUT: httpRefusals.timeout,
}

/** Connections that were answered and are about to end: what still comes in is no request either. */
const refused = new WeakSet<Socket>()

/** Answers what is no request at all, in the shape of other errors, and ends the connection. */
export function socketError(error: Error, socket: Socket): void {
  if (refused.has(socket)) return
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  refused.add(socket)
  refuseSocket(socket, (Object.hasOwn(refusals, code) ? refusals[code] : undefined) ?? httpRefusals.malformed)
}
