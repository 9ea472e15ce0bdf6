/** A request as it goes to `fetch`. */
export interface HttpRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal | null
}

/** Sends a request: `globalThis.fetch`, or anything that behaves like it. */
export type Fetch = (url: string, request: HttpRequest) => Promise<Response>

/** Stands between the client and `fetch`: sees each request before it leaves, and each answer as it comes. */
export type Interceptor = (next: Fetch) => Fetch

/** How to reach a service. */
export interface ClientOptions {
  /** Absolute, with the version: `https://service.example/v1.0`. */
  readonly baseUrl: string
  /** The bearer token, or what gives one; it is asked for each request, so that it may renew an old one. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: `globalThis.fetch`. Wrap it in `retrying` to have requests repeated. */
  readonly fetch?: Fetch | undefined
  /** The first one is the outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined
}

/** A way to a service, shared by the operations of all its resources. */
export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Rejects when there is no answer: the network failed, or the call was aborted. */
  send(call: PreparedRequest): Promise<Response>
}

/** Makes a connection; nothing is sent yet. Of headers of the same name, those of the single call win. */
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
    async send({ method, url, headers: own, body, signal = null }) {
      const bearer = typeof token === 'function' ? await token() : token
      const json = JSON.stringify(body)
      const all = new Headers(headers)
      all.set('accept', 'application/json')
      if (json) all.set('content-type', 'application/json')
      if (bearer) all.set('authorization', `Bearer ${bearer}`)
      for (const name in own) {
        const value = own[name]
        if (value) all.set(name, value)
      }
      return send(url, { method, headers: all, signal, body: json ?? null })
    },
  }
}

/** A call on its way to the service. */
export interface PreparedRequest {
  readonly method: string
  readonly url: string
  /** What it needs beside what every call carries; without value: not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Sent as JSON; undefined: no body. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}
