import { ServiceError } from './errors.js'
import type { LiteralFormats, PathTemplate } from './path.js'
import { type CallOptions, queryText, type RequiredHeaders } from './query-options.js'

/** How to reach a service. */
export interface ClientOptions {
  /** Absolute, including the version: `https://service.example/v1.0`. */
  readonly baseUrl: string
  /**
   * The bearer token, or a function that returns one. The client calls it for each request, so it can renew the token.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: `globalThis.fetch`, looked up at each request. Wrap it in `retrying` to retry failed requests. */
  readonly fetch?: Fetch | undefined
  /** The first interceptor is the outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined
  /** How to read and write JSON. Default: `JSON`. */
  readonly json?: JsonFormat | undefined
}

/** Reads and writes JSON, as the global `JSON` does. */
export interface JsonFormat {
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
}

/** Sends a request: `globalThis.fetch`, or a function that behaves like it. */
export type Fetch = (url: string, request: HttpRequest) => Promise<Response>

/** The second argument of `fetch`. */
export interface HttpRequest {
  readonly method: string
  readonly headers: Headers
  /** JSON, unless the request sends a stream. */
  readonly body: string | Blob | ArrayBuffer | null
  readonly signal: AbortSignal | null
}

/** Wraps `fetch`: sees each request before it is sent and each response when it arrives. */
export type Interceptor = (next: Fetch) => Fetch

/** A connection to a service, shared by all operations. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Default: `JSON`. */
  readonly json?: JsonFormat
  /** Rejects if there is no response: the network failed or the call was aborted. */
  send(call: PreparedRequest): Promise<Response>
}

/** A request before the connection adds its own headers. */
interface PreparedRequest {
  readonly method: string
  readonly url: string
  /** Headers of this request only. A header without a value is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. Undefined: no body. */
  readonly body: unknown
  /** Sent as it is, instead of a body. */
  readonly content?: string | Blob | ArrayBuffer
  readonly signal: AbortSignal | undefined
}

/** Creates a connection without sending anything. The headers of a single call override the connection's headers. */
export const connect = ({
  baseUrl,
  token,
  headers,
  fetch = (url, init) => globalThis.fetch(url, init),
  interceptors = [],
  json = JSON,
}: ClientOptions): Connection => {
  const send = interceptors.reduceRight<Fetch>((next, intercept) => intercept(next), fetch)
  return {
    baseUrl: baseUrl.replace(/\/$/, ''),
    json,
    async send({ method, url, headers: own, body, content, signal = null }) {
      const bearer = typeof token === 'function' ? await token() : token
      const text = json.stringify(body)
      const all = new Headers(headers)
      for (const [name, value] of Object.entries({
        accept: 'application/json',
        'content-type': text && 'application/json',
        authorization: bearer && `Bearer ${bearer}`,
        ...own,
      })) {
        if (value) all.set(name, value)
      }
      return send(url, { method, headers: all, signal, body: content ?? text ?? null })
    },
  }
}

/** The outcome of a call as a value, for callers who don't want to catch errors. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T; readonly response: Response }
  | { readonly ok: false; readonly error: E; readonly response: Response }

/** A promise of `T` that rejects with an `E` if the service returns an error. */
export interface ApiPromise<T, E> extends Promise<T> {
  /** Returns the error as a value. Rejects only if there is no response: the network failed or the call was aborted. */
  result(): Promise<Result<T, E>>
}

/**
 * Builds the request from the arguments of an operation: the keys in the path, the body if the method has one (POST,
 * PATCH, PUT), and the options.
 */
export const prepareRequest = (
  connection: Connection,
  method: string,
  path: PathTemplate,
  args: readonly unknown[],
  formats?: LiteralFormats,
  conditions?: RequiredHeaders,
): PreparedRequest => {
  const rest = args.slice(path.length)
  const body = /^P/.test(method) ? rest.shift() : undefined
  // The operation's own type has checked the options.
  const { signal, ifMatch, ifNoneMatch, prefer, headers, ...query }: CallOptions = Object(rest[0])
  const text = queryText(query, formats, '&', encodeURIComponent)
  return {
    method,
    url: connection.baseUrl + path(...args) + (text && `?${text}`),
    headers: {
      'if-match': ifMatch,
      'if-none-match': ifNoneMatch,
      prefer: Object.entries(prefer ?? {})
        .map(([name, value]) => `${name}="${value}"`)
        .join(),
      ...conditions?.(text.replace(/'[^'&]*'/g, '')),
      ...headers,
    },
    body,
    signal,
  }
}

/** Creates the operation of an endpoint whose result is a single response. */
export const operation =
  <T, Code extends string, Json>(
    connection: Connection,
    method: string,
    path: PathTemplate,
    formats?: LiteralFormats,
    conditions?: RequiredHeaders,
    read?: (json: Json) => T,
  ) =>
  (...args: readonly unknown[]): ApiPromise<T, ServiceError<Code>> =>
    send(connection, prepareRequest(connection, method, path, args, formats, conditions), read)

/**
 * Sends a request. `read` converts the JSON of the response to the result. Without `read`, the result is the JSON
 * itself, or undefined if there is none: 204, 304 or null.
 */
export const send = <T, Code extends string, Json = unknown>(
  connection: Connection,
  call: PreparedRequest,
  read?: (json: Json) => T,
): ApiPromise<T, ServiceError<Code>> =>
  apiPromise(async () => {
    const response = await connection.send(call)
    const text = await response.text()
    // The client trusts the spec and doesn't validate responses: the JSON has the type that the operation declares.
    let json: ReturnType<typeof JSON.parse>
    try {
      json = (connection.json ?? JSON).parse(text)
    } catch {
      // Empty, or the response of a proxy.
    }
    if (response.status < 400 && (json !== undefined || !text)) {
      return { ok: true, value: read ? read(json) : (json ?? undefined), response }
    }
    return { ok: false, error: new ServiceError(response, json?.error, text), response }
  })

export const apiPromise = <T, E>(call: () => Promise<Result<T, E>>): ApiPromise<T, E> => {
  const outcome = call()
  const promise = outcome.then(result => {
    if ('error' in result) throw result.error
    return result.value
  })
  return Object.assign(promise, {
    result: () => {
      // A caller who reads the result doesn't have to catch the promise as well.
      promise.catch(() => {})
      return outcome
    },
  })
}
