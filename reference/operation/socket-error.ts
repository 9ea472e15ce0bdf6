import type { Socket } from 'node:net'
import { type HttpRefusal, httpRefusals } from './http-refusal.js'
import { refuseSocket } from './refuse-socket.js'

const refusals: Readonly<Record<string, HttpRefusal>> = {
  HPE_HEADER_OVERFLOW: httpRefusals.tooLong,
  ERR_HTTP_REQUEST_TIMEOUT: httpRefusals.timeout,
}

/** Answers what is no request at all, in the shape of other errors, and ends the connection. */
export function socketError(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else refuseSocket(socket, (Object.hasOwn(refusals, code) ? refusals[code] : undefined) ?? httpRefusals.malformed)
}
