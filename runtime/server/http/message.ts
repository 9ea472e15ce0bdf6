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

export interface MediaType {
  /** In lower case, `application/json`, `application/*`. */
  readonly type: string
  /** Names in lower case. Values without quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Parses `type/subtype;name=value`. Undefined: it is malformed.
 *
 * @see RFC 9110, 8.3.1
 */
export function parseMediaType(text: string): MediaType | undefined {
  const [first = '', ...rest] = splitUnquoted(text, ';')
  const type = first.trim().toLowerCase()
  const slash = type.indexOf('/')
  if (!isToken(type.slice(0, Math.max(slash, 0))) || !isToken(type.slice(slash + 1))) return undefined
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals < 0) {
      if (part.trim() === '') continue
      return undefined
    }
    const value = part.slice(equals + 1).trim()
    parameters.set(part.slice(0, equals).trim().toLowerCase(), unquote(value))
  }
  return { type, parameters }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** @see RFC 9110, 5.6.2 */
export function isToken(text: string): boolean {
  return token.test(text)
}

/** Splits at separators outside of quoted strings. */
export function splitUnquoted(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (quoted && character === '\\') index++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** The content of a quoted string, unescaped. Other text stays unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
