/** How to reach a service. */
export interface ClientOptions {
  /** Absolute, including the version: `https://service.example/v1.0`. */
  readonly baseUrl: string
  /**
   * The bearer token, or a function that returns one. The client calls it for each request, so it can renew the token.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: `globalThis.fetch`. Wrap it in `retrying` to retry failed requests. */
  readonly fetch?: Fetch | undefined
  /** The first interceptor is the outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined
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
  /** Rejects if there is no response: the network failed or the call was aborted. */
  send(call: PreparedRequest): Promise<Response>
}

/** A request before the connection adds its own headers. */
export interface PreparedRequest {
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
  fetch = globalThis.fetch,
  interceptors = [],
}: ClientOptions): Connection => {
  const send = interceptors.reduceRight<Fetch>((next, intercept) => intercept(next), fetch)
  return {
    baseUrl: baseUrl.replace(/\/$/, ''),
    async send({ method, url, headers: own, body, content, signal = null }) {
      const bearer = typeof token === 'function' ? await token() : token
      const json = JSON.stringify(body)
      const all = new Headers(headers)
      for (const [name, value] of Object.entries({
        accept: 'application/json',
        'content-type': json && 'application/json',
        authorization: bearer && `Bearer ${bearer}`,
        ...own,
      })) {
        if (value) all.set(name, value)
      }
      return send(url, { method, headers: all, signal, body: content ?? json ?? null })
    },
  }
}
