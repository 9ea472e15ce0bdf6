import type { Duplex } from 'node:stream'
import { type HttpRefusal, refusalBody } from './http-refusal.js'

/** Milliseconds that a caller gets to read the answer, still sending. */
const lingering = 2_000

/**
 * Answers on a connection on which no request could be read, and ends it. What still comes in is thrown away for a
 * moment: a connection that is cut at once would take the answer with it.
 */
export function refuseSocket(socket: Duplex, refusal: HttpRefusal): void {
  const body = refusalBody(refusal)
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
