import { isToken } from './media-type.js'

/** A request, independent of the HTTP server. The body is read on demand. */
export interface ServerRequest {
  readonly head: RequestHead
  /** Scheme and authority, `https://example.com`. */
  readonly origin: string
  /** The raw path and query, `/v1.0/users?$top=5`, or `*` for the server as a whole. */
  readonly target: string
  /** Reads the whole body. `tooLarge`: it exceeds `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | 'tooLarge'>
  /** For a request of a batch: the related items in the bodies of the batch so far. */
  readonly related?: { value: number } | undefined
  /** Creates the context of the handler in place of the option of the service, for the requests of a transaction. */
  readonly context?:
    | ((request: RequestHead, principal: { readonly id: string; readonly scopes: readonly string[] }) => unknown)
    | undefined
}

/** A request without its body, as hooks and handlers see it. Every `Request` is a `RequestHead`. */
export interface RequestHead {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: {
    /** The value, or null. Several values are joined by `, `. The name can be in any letter case. */
    get(name: string): string | null
  }
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

/** A response, independent of the HTTP server. The response to HEAD has the body of the response to GET. */
export interface ServerResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ArrayBuffer | undefined
}

const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Whether the status and the headers of a response are valid. Handlers can set headers to any string.
 *
 * @param standard headers that are known to be valid
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

export function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599
}
