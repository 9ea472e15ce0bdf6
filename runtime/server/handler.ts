import type { QueryOptions } from '../query/index.js'
import { type FailureDetails, RequestFault } from './errors.js'
import type { RequestHead } from './http/message.js'
import type { Precondition } from './http/preconditions.js'
import type { PreferenceValues } from './http/preferences.js'
import type { QueryTemplate } from './planning/query-plan.js'
import type { Route } from './service-table.js'

/** The answer of a handler, now or later. */
export type MaybePromise<T> = T | Promise<T>

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
export type DeepPartial<Handlers> = {
  readonly [Name in keyof Handlers]?: Handlers[Name] extends (call: never) => unknown
    ? Handlers[Name] | undefined
    : DeepPartial<Handlers[Name]> | undefined
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

/**
 * What every handler is given. By the time it runs, the core has checked the caller's scopes, the keys, the query
 * options against what the endpoint declares, and the body against its type; the call of each handler adds those, typed.
 */
export interface Call<Context, Errors extends string> {
  readonly principal: Principal
  /** What the `context` option made for this request. */
  readonly context: Context
  readonly request: RequestHead
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
  /** Answers with an error that this operation declares. It throws, so nothing after it runs. */
  fail(error: Errors, given?: FailureDetails): never
  /** Answers 501: this part of the handler is not written yet. It throws, so nothing after it runs. */
  notImplemented(): never
}

/**
 * One page of a collection. The core adds `@odata.context`, `@odata.count` and `@odata.nextLink`.
 */
export interface ListResult<Row> {
  readonly value: readonly Row[]
  /** All items that `$filter` and `$search` leave, whatever the page; to be given when `query.count` is true. */
  readonly count?: number | undefined
  /** Where the next page begins, in the handler's own words; comes back as `query.skiptoken`. Absent: the last page. */
  readonly skipToken?: string | undefined
}

/** One page of changes: with `skipToken` more is to come, with `deltaToken` the round is complete. */
export interface DeltaResult<Row> {
  readonly value: readonly (Row & Removable)[]
  /** Comes back as `query.skiptoken`. */
  readonly skipToken?: string | undefined
  /** Comes back as `query.deltatoken`, to ask for what changed since. */
  readonly deltaToken?: string | undefined
}

/**
 * Marks an item that is no longer in the collection; beside its key nothing else of it is sent.
 *
 * @see OData JSON Format 4.01, 15.3 (deleted entity)
 */
export interface Removable {
  /** `deleted`: for good; `changed`: it may come back. */
  readonly '@removed'?: { readonly reason: 'changed' | 'deleted' } | undefined
}

/**
 * An item as handlers return it: at least what the query selects, at every depth. What is not selected may be there and
 * is not sent.
 */
export type Row<Type> = { readonly [Name in keyof Type]?: Part<Type[Name]> | undefined } & {
  /** Qualified name of a derived type, `#directory.group`, where items of several types mix. */
  readonly '@odata.type'?: string | undefined
  /** Entity tag in its written form, `W/"1"` or `"1"`. */
  readonly '@odata.etag'?: string | undefined
}

/** A complex value of which a part may be selected. */
type Part<Value> = Value extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Part<Value[Name]> | undefined }
    : Value

/**
 * A body as it was received: a property has a value or is absent, since JSON knows no `undefined`. So
 * `{ ...item, ...body }` is a whole item, for a compiler that tells absent from undefined too.
 */
export type RequestBody<Body> = { readonly [Name in keyof Body]: Exclude<Body[Name], undefined> }

/** Who calls, as the `authenticate` hook found out. */
export interface Principal {
  /** What a singleton bound to the signed-in caller (`me`) stands for. */
  readonly id: string
  /** Permission scopes of the credential. */
  readonly scopes: readonly string[]
}

/**
 * The handler of an operation that is not written yet: the service answers 501, as to one that has no handler. A
 * handler that is written in part says `call.notImplemented()`.
 */
export function notImplemented(): never {
  throw new RequestFault('notImplemented')
}
