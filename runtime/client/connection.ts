import type { CallOptions } from './call-options.js'

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

/** Header names and values; a header without value is not sent. */
export type HeaderList = readonly (readonly [name: string, value: string | undefined])[]

/** A way to a service, shared by the operations of all its resources. */
export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Sends one request; `headers` are those that the operation needs beside what the options ask for. */
  send(method: string, url: string, options: CallOptions, headers: HeaderList, body: unknown): Promise<Response>
}

/** Makes a connection; nothing is sent yet. Throws a `TypeError` when `baseUrl` is no absolute URL. */
export const connect = ({ baseUrl, token, headers, fetch, interceptors = [] }: ClientOptions): Connection => {
  const send = interceptors.reduceRight<Fetch>((next, intercept) => intercept(next), fetch ?? globalThis.fetch)
  return {
    baseUrl: new URL(baseUrl).href.replace(/\/$/, ''),
    async send(method, url, options, needed, body) {
      const bearer = typeof token === 'function' ? await token() : token
      const json = body === undefined ? null : JSON.stringify(body)
      const list: HeaderList = [
        ['accept', 'application/json'],
        ['content-type', json === null ? undefined : 'application/json'],
        ...Object.entries(headers ?? {}),
        ['authorization', bearer && `Bearer ${bearer}`],
        ['if-match', options.ifMatch],
        ['if-none-match', options.ifNoneMatch],
        ['prefer', options.prefer && preferences(options.prefer)],
        ...needed,
        ...Object.entries(options.headers ?? {}),
      ]
      const all = new Headers()
      for (const [name, value] of list) if (value) all.set(name, value)
      return send(url, { method, headers: all, body: json, signal: options.signal ?? null })
    },
  }
}

/** @see RFC 7240, 2 */
const preferences = (prefer: Readonly<Record<string, string>>): string =>
  Object.entries(prefer)
    .map(([name, value]) => `${name}="${value}"`)
    .join()
