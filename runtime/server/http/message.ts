import { isToken } from './media-type.js'

/** A request as it comes in from any server: its head, where it was sent, and a body that is read only when wanted. */
export interface ServerRequest {
  readonly head: RequestHead
  /** Scheme and authority, `https://example.com`. */
  readonly origin: string
  /** Path and query as they were sent, `/v1.0/users?$top=5`; or `*`, which stands for the server as such. */
  readonly target: string
  /** The whole body; `tooLarge` as soon as it exceeds `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | 'tooLarge'>
}

/**
 * A request without its body, which the core has read: what hooks and handlers see. Every `Request` is one; a server
 * that does not speak `Request` need not build it.
 */
export interface RequestHead {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: {
    /** The value, several joined by `, `, or null; the name in any letter case. */
    get(name: string): string | null
  }
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
}

/** A response before it is handed to any server. For a HEAD request it carries the body of the GET. */
export interface ServerResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ArrayBuffer | undefined
}

const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Whether every server can send a response: a handler may have put into a header what no header can hold.
 *
 * @param standard headers that are known to be sound
 * @see RFC 9110, 5.5 (field values)
 */
export function isSendable({ status, headers }: ServerResponse, standard: ServerResponse['headers'] = {}): boolean {
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || value === standard[name]) continue
    if (!(fieldValue.test(value) && isToken(name))) return false
  }
  return isStatus(status)
}

/** Whether a number can be the status of a final response. */
export function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599
}
