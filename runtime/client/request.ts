import type { Connection, PreparedRequest } from './connection.js'
import { ServiceError } from './errors.js'
import type { LiteralFormats } from './literals.js'
import type { PathTemplate } from './path.js'
import { type CallOptions, queryText, type RequiredHeaders } from './query-options.js'

/**
 * The call that an operation's arguments ask for: first the keys of the path, then the body of a method that has one
 * (POST, PATCH, PUT), then options.
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

/** The operation of an endpoint that answers at once. */
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
 * Sends a call. The value is what `read` makes of the JSON of the answer; without `read` the JSON itself, and undefined
 * where there is none: 204, 304, null.
 */
export const send = <T, Code extends string, Json = unknown>(
  connection: Connection,
  call: PreparedRequest,
  read?: (json: Json) => T,
): ApiPromise<T, ServiceError<Code>> =>
  apiPromise(async () => {
    const response = await connection.send(call)
    const text = await response.text()
    // What the service sends is taken at the word of its spec: from here JSON has the type that the operation gives it.
    let json: ReturnType<typeof JSON.parse>
    try {
      json = JSON.parse(text)
    } catch {
      // Empty, or the answer of a proxy between.
    }
    if (response.status < 400 && (json !== undefined || !text)) {
      return { ok: true, value: read ? read(json) : (json ?? undefined), response }
    }
    return { ok: false, error: new ServiceError(response, json?.error, text), response }
  })

/** How a call ended, for those who would rather look than catch. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T; readonly response: Response }
  | { readonly ok: false; readonly error: E; readonly response: Response }

/** A promise of `T` that rejects with an `E` when the service answers with an error. */
export interface ApiPromise<T, E> extends Promise<T> {
  /** Gives the error as a value. Rejects only when there is no answer: the network failed, or the call was aborted. */
  result(): Promise<Result<T, E>>
}

export const apiPromise = <T, E>(settle: () => Promise<Result<T, E>>): ApiPromise<T, E> => {
  const settled = settle()
  const promise = settled.then(result => {
    if ('error' in result) throw result.error
    return result.value
  })
  return Object.assign(promise, {
    result: () => {
      // Who asks for the result need not catch the promise as well.
      promise.catch(() => {})
      return settled
    },
  })
}
