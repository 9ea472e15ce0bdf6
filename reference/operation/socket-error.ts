import type { Socket } from 'node:net'

interface Refusal {
  readonly status: string
  readonly code: string
  readonly message: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: '414 URI Too Long',
    code: 'UriTooLong',
    message: 'The request line and the header fields are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'RequestTimeout',
    message: 'The request did not come to its end in time.',
  },
}

const malformed: Refusal = {
  status: '400 Bad Request',
  code: 'BadRequest',
  message: 'The request is not well-formed HTTP/1.1.',
}

/** Milliseconds that a caller gets to read the answer, still sending. */
const lingering = 2_000

/**
 * Answers what is no request at all, in the shape of other errors, and ends the connection. What still comes in is thrown
 * away for a moment: a connection that is cut at once would take the answer with it.
 */
export function socketError(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, ...said } = Object.hasOwn(refusals, code) ? (refusals[code] ?? malformed) : malformed
  const body = JSON.stringify({ error: said })
  socket.removeAllListeners('data')
  socket.resume()
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json;charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), lingering).unref()
}
