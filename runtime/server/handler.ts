import type { AnyQueryFunction, QueryOptions, ServiceFunctions } from '../query/index.js'
import { type FailureDetails, RequestFault } from './errors.js'
import type { RequestHead, ServerResponse } from './http/message.js'
import type { Precondition } from './http/preconditions.js'
import type { PreferenceValues } from './http/preferences.js'
import type { QueryTemplate } from './planning/related-scopes.js'
import type { ResolveReference } from './routing/router.js'
import type { Route } from './service-table.js'

/**
 * The argument of every handler. Before the handler runs, the core has checked the caller's scopes, the keys, the query
 * options and the body. The call of each handler adds these with their types.
 */
export interface Call<Context, Errors extends string> {
  readonly principal: Principal
  /** The value that the option `context` returned for this request. */
  readonly context: Context
  readonly request: RequestHead
  readonly signal: AbortSignal
  /** The item whose URL a body has in `name@odata.bind`. Undefined: it is in no entity set of the service. */
  readonly reference: ResolveReference
  /** Responds with an error that this operation declares. It throws, so no code after it runs. */
  fail(error: Errors, given?: FailureDetails): never
  /** Responds with 501, for a part of the handler that isn't implemented yet. It throws, so no code after it runs. */
  notImplemented(): never
}

/** The call as the core creates it, with the members of every handler's call. */
export interface AnyCall extends Call<unknown, string> {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  /** The query without its parameters, for handlers that prepare database statements. */
  readonly template: QueryTemplate
  /** The page size: the smallest of `$top`, its maximum and the preference `maxpagesize`. Undefined: no limit. */
  readonly pageSize: number | undefined
  /** The maximum number of items on all pages: `$top`, if the service interprets it so. */
  readonly limit: number | undefined
  readonly body: unknown
  /** The bytes of the body, as received, whatever the headers say. */
  readonly bodyBytes: number
  /**
   * Reads the body of an update as a change of an item of the given type, such as `#shop.book` or `book`. With the item,
   * complex values that name no type keep the type that they have. Fails with the fault `invalidBody`.
   */
  readonly bodyAs: (itemType: string, item?: unknown) => unknown
  /**
   * The path of the complex value that the body of an update replaces, `home/inner`: a PUT to the path of the value. Undefined:
   * the body changes the members that it names.
   */
  readonly replacedValue: string | undefined
  /**
   * Reads the body of an update as that of a create with the key of the path. Undefined: the service has no upsert. Fails with
   * the fault `invalidBody`.
   */
  readonly newItem: (() => unknown) | undefined
  readonly precondition: Precondition
  readonly prefer: PreferenceValues
  /** The path of the request below the root, percent-encoded, `/users/1`. */
  readonly path: string
  readonly relatedList: FindRelatedList
}

/** A list at a path of its own, in which an expanded collection goes on. */
export interface RelatedList extends Pick<AnyCall, 'route' | 'keys' | 'principal' | 'template'> {
  /**
   * The URL of the page that the skip token begins, or of the first page. Undefined: it is longer than the service accepts.
   */
  readonly link: (skipToken: string | undefined) => string | undefined
}

/**
 * Finds the list at a path that ends with a relation. Undefined: the service has no such list, the caller may not read it, or
 * it does not accept the options.
 *
 * @param path percent-encoded, below the root of the service
 */
export type FindRelatedList = (path: string, relation: string, options: QueryOptions) => RelatedList | undefined

export type AnyHandler = (call: AnyCall) => unknown

/** Finds the handler of a route. Undefined: it isn't implemented yet. */
export type HandlerLookup = (route: Route) => AnyHandler | undefined

/**
 * Finds handlers in nested objects: the handler of `me.messages.list` is `handlers.me.messages.list`. The function
 * `notImplemented` counts as a missing handler.
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

/** Finds the handlers of the functions without a definition, in an object with a member for each. */
export function queryFunctionsByName(
  given: object,
  functions: ServiceFunctions,
): Readonly<Record<string, AnyQueryFunction>> {
  const found: Record<string, AnyQueryFunction> = {}
  for (const { name, definition } of Object.values(functions)) {
    const own = definition === undefined ? ownOrInherited(given, name) : undefined
    if (isQueryFunction(own)) found[name] = own.bind(given)
  }
  return found
}

/** The types of the call are not checked, as for handlers. */
function isQueryFunction(value: unknown): value is AnyQueryFunction {
  return typeof value === 'function'
}

/** Members of `Object.prototype` are not handlers, even if an operation is called `constructor`. */
function ownOrInherited(owner: unknown, name: string): unknown {
  if (typeof owner !== 'object' || owner === null) return undefined
  return Object.hasOwn(owner, name) || !(name in Object.prototype) ? Reflect.get(owner, name) : undefined
}

/** The types of the call are not checked: the handlers and the table come from the same spec. */
function isHandler(value: unknown): value is AnyHandler {
  return typeof value === 'function'
}

/**
 * The handler of an operation that isn't implemented yet: the service responds with 501. A partly implemented handler
 * calls `call.notImplemented()`.
 */
export function notImplemented(): never {
  throw new RequestFault('notImplemented')
}

/** The caller, as the `authenticate` hook returns it. */
export interface Principal {
  /** The key of the item of the caller, for a singleton bound to the caller (`me`). */
  readonly id: string
  readonly scopes: readonly string[]
}

/** What the handler of an update returns if it has created the item, because there was none: the response is 201. */
export class CreatedItem<Row = unknown> {
  readonly row: Row

  constructor(row: Row) {
    this.row = row
  }
}

/** What a handler of a read returns if it has the complete response: the core sends it as it is. */
export class CompleteResponse {
  readonly response: ServerResponse

  constructor(response: ServerResponse) {
    this.response = response
  }
}

/** A page of a collection. The core adds `@odata.context`, `@odata.count` and `@odata.nextLink`. */
export interface ListResult<Row> {
  readonly value: readonly Row[]
  /** The number of items that match `$filter` and `$search`. Required if `query.count` is true. */
  readonly count?: number | undefined
  /**
   * Where the next page starts, in any form. The next request returns it as `query.skiptoken`. Absent: the last page.
   */
  readonly skipToken?: string | undefined
}

/** A page of changes. `skipToken`: there is a next page. `deltaToken`: this is the last page. */
export interface DeltaResult<Row> {
  readonly value: readonly (Row & Removable)[]
  /** Returned as `query.skiptoken` by the request for the next page. */
  readonly skipToken?: string | undefined
  /** Returned as `query.deltatoken` by the request for later changes. */
  readonly deltaToken?: string | undefined
}

/**
 * Marks an item that is no longer in the collection. The response contains only its key.
 *
 * @see OData JSON Format 4.01, 15.3 (deleted entity)
 */
export interface Removable {
  /** `deleted`: permanently. `changed`: it no longer belongs to the collection, but can return. */
  readonly '@removed'?: { readonly reason: 'changed' | 'deleted' } | undefined
}

/**
 * An item that a handler returns. It must contain at least the selected properties, at every depth. The core removes
 * the others.
 */
export type Row<Type> = { readonly [Name in keyof Type]?: Part<Type[Name]> | undefined } & {
  /** The qualified name of a derived type, `#directory.group`, in a collection of several types. */
  readonly '@odata.type'?: string | undefined
  /** The entity tag as in the header, `W/"1"` or `"1"`. */
  readonly '@odata.etag'?: string | undefined
}

/** A complex value. A query can select part of it. */
type Part<Value> = Value extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Part<Value[Name]> | undefined }
    : Value

/**
 * A request body. Its properties have a value or are absent, because JSON has no `undefined`. So `{ ...item, ...body }`
 * is a complete item, even with the compiler option `exactOptionalPropertyTypes`.
 */
export type RequestBody<Body> = { readonly [Name in keyof Body]: Exclude<Body[Name], undefined> }

/**
 * Reads the body of an update of an item that can be of several types. Call it with the type of the stored item: the body
 * then has the properties of that type, and a PUT has its defaults and all that it requires. Give it the stored item, too, if
 * complex values can be of several types: values in the body that name no type keep the type that they have. It throws if the
 * body does not fit the type, so the caller gets 400. An update cannot change the type of an item.
 */
export type BodyAs<Bodies> = <Name extends keyof Bodies>(
  itemType: Name,
  item?: object,
) => {
  readonly [Key in keyof Bodies[Name] as Exclude<Key, '@odata.type'>]: Exclude<Bodies[Name][Key], undefined>
}

/** Handlers of which some are not implemented yet. A missing handler responds with 501. */
export type DeepPartial<Handlers> = {
  readonly [Name in keyof Handlers]?: Handlers[Name] extends (call: never) => unknown
    ? Handlers[Name] | undefined
    : DeepPartial<Handlers[Name]> | undefined
}

export type MaybePromise<T> = T | Promise<T>
