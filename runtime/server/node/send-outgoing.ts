import type { Outgoing } from '../outgoing.js'
import type { NodeResponse } from './node-types.js'

/** Sends an answer over `node:http`: its head at once, which costs less than one header after the other. */
export function sendOutgoing(method: string, response: NodeResponse, { status, headers, body }: Outgoing): void {
  if (response.destroyed) return
  const content = contentOf(body)
  const sent: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) sent[name] = value
  }
  // What has been given its length otherwise keeps it.
  const isFramed = sent['content-length'] !== undefined || sent['transfer-encoding'] !== undefined
  if (!isFramed && (body !== undefined || mayHaveContent(method, status))) {
    sent['content-length'] = String(content.length)
  }
  response.writeHead(status, sent)
  if (method === 'HEAD' || body === undefined) response.end()
  else if (typeof content.data === 'string') response.end(content.data, 'latin1')
  else response.end(content.data)
}

/** A body as it is sent, and how many bytes it has; text only where each character is one byte. */
interface Content {
  readonly data: string | Uint8Array
  readonly length: number
}

const encoder = new TextEncoder()

/** Texts of more characters are encoded where they stay. */
const longestTried = 65_536
const tried = new Uint8Array(longestTried)

/** Most texts are ASCII, which `node:http` copies as it is once it is told so. To find out is to count the bytes. */
function contentOf(body: Outgoing['body']): Content {
  if (body === undefined) return { data: '', length: 0 }
  if (typeof body !== 'string') return { data: new Uint8Array(body), length: body.byteLength }
  const { length } = body
  if (length <= longestTried) {
    const { read, written } = encoder.encodeInto(body, tried)
    if (read === length && written === length) return { data: body, length }
  }
  const data = encoder.encode(body)
  return { data, length: data.length }
}

/** @see RFC 9110, 8.6 (Content-Length), 15.3.5 (204), 15.4.5 (304) */
function mayHaveContent(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}
