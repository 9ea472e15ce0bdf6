import type { QueryOptions } from '../query/ast.js'
import type { Call } from './call.js'
import { notImplemented } from './not-implemented.js'
import type { Precondition } from './precondition.js'
import type { PreferenceValues } from './preferences.js'
import type { QueryTemplate } from './query/query-template.js'
import type { Route } from './service-table.js'

/** The answer of a handler, now or later. */
export type Answer<T> = T | Promise<T>

/** The call that the core makes: everything that the call of any handler may hold. */
export interface AnyCall extends Call<unknown, string> {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  /** What the query has in common with others, for handlers that prepare what they ask a database. */
  readonly template: QueryTemplate
  /** Items a page, when the endpoint limits it: the smallest of `$top`, its maximum and the preference `maxpagesize`. */
  readonly pageSize: number | undefined
  /** Items of all pages together: `$top`, where the service takes it for that. */
  readonly limit: number | undefined
  readonly body: unknown
  readonly precondition: Precondition
  readonly prefer: PreferenceValues
}

/** A handler as the core calls it. */
export type AnyHandler = (call: AnyCall) => unknown

/** Finds the handler of a route; undefined: it is not written yet. */
export type HandlerLookup = (route: Route) => AnyHandler | undefined

/** Handlers of which some are not written yet: what is missing answers 501. */
export type Unfinished<Handlers> = {
  readonly [Name in keyof Handlers]?: Handlers[Name] extends (call: never) => unknown
    ? Handlers[Name] | undefined
    : Unfinished<Handlers[Name]> | undefined
}

/**
 * Finds handlers in an object nested as routes are named: `me.messages.list` is `handlers.me.messages.list`; where that
 * is `notImplemented`, there is none.
 */
export function handlersByName(handlers: object): HandlerLookup {
  return route => {
    let owner: unknown = handlers
    let found: unknown = handlers
    for (const name of route.name.split('.')) {
      owner = found
      found = ownOrInherited(owner, name)
    }
    return isHandler(found) && found !== notImplemented ? found.bind(owner) : undefined
  }
}

/** What every object inherits is no handler, even where an operation is called `constructor`. */
function ownOrInherited(owner: unknown, name: string): unknown {
  if (typeof owner !== 'object' || owner === null) return undefined
  return Object.hasOwn(owner, name) || !(name in Object.prototype) ? Reflect.get(owner, name) : undefined
}

/** That its call holds what it asks for is what the table promises: both come from one spec. */
function isHandler(value: unknown): value is AnyHandler {
  return typeof value === 'function'
}
