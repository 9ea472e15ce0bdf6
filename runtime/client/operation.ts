import type { ApiPromise } from './api-promise.js'
import type { Call } from './call.js'
import type { CallOptions } from './call-options.js'
import type { Conditions } from './conditions.js'
import type { Connection } from './connection.js'
import type { LiteralFormats } from './literal.js'
import type { PathTemplate } from './path-template.js'
import { queryText } from './query-text.js'
import { send } from './send.js'
import type { ServiceError } from './service-error.js'

/**
 * The call that an operation's arguments ask for: first the keys of the path, then the body of a method that has one
 * (POST, PATCH, PUT), then options.
 */
export const callOf = (
  connection: Connection,
  method: string,
  path: PathTemplate,
  args: readonly unknown[],
  formats?: LiteralFormats,
  conditions?: Conditions,
): Call => {
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
    conditions?: Conditions,
    read?: (json: Json) => T,
  ) =>
  (...args: readonly unknown[]): ApiPromise<T, ServiceError<Code>> =>
    send(connection, callOf(connection, method, path, args, formats, conditions), read)
