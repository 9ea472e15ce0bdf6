import type { QueryOptions } from '../../runtime/query/index.js'
import type { Route } from '../../runtime/server/index.js'
import { isObject } from '../values/codec.js'
import type { CallOf } from './mapping.js'

/** The call of a handler that reads. The calls of generated handlers have all of it. */
export interface ReadCall<Context = unknown> extends CallOf<Context> {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  readonly pageSize: number | undefined
  readonly limit: number | undefined
}

/** The server core creates calls with all these members; the types of some handlers' calls do not show them. */
export function asReadCall<Context>(call: object): ReadCall<Context> {
  if (!isReadCall<Context>(call))
    throw new TypeError('Pass the call of a handler of a generated server, such as call => collection(…, call).')
  return call
}

function isReadCall<Context>(call: object): call is ReadCall<Context> {
  return 'route' in call && isObject(call.route) && 'principal' in call && isObject(call.principal)
}
