import type { Capabilities, PropertyInfo, Support, TypeTable } from '../query/index.js'
import { isStatus } from './http/message.js'

/**
 * A service as the server core runs it: plain data. The generator prints it into the skeleton; a service that is run
 * straight from its spec builds the same table at start.
 */
export interface ServiceTable {
  readonly name: string
  readonly namespace: string
  /** Path segment after the base address, `v1.0`. */
  readonly version: string
  readonly types: TypeTable
  /** Entity set or singleton -> entity type. */
  readonly container: Readonly<Record<string, ContainerInfo>>
  readonly routes: readonly Route[]
  readonly errors: Readonly<Record<string, ErrorInfo>>
  /** Which error answers which fault; every fault is there. */
  readonly faults: Readonly<Record<Fault, ErrorInfo>>
  readonly authentication: AuthenticationInfo
  readonly preferences: Readonly<Record<string, PreferenceInfo>>
  /** The answer this service gives to each choice that the interface leaves open, `topMeaning` -> `pageSize`. */
  readonly choices: Readonly<Record<string, string | number>>
  readonly limits: { readonly url: number; readonly body: number }
}

interface ContainerInfo {
  readonly kind: 'entitySet' | 'singleton'
  readonly type: string
  /** A singleton that is the item of the signed-in caller. */
  readonly principal?: true
}

export interface ErrorInfo {
  readonly status: number
  readonly code: string
  /** May hold `{placeholders}`. */
  readonly message: string
}

interface AuthenticationInfo {
  readonly scheme: 'bearer' | 'none'
  /** Error names. */
  readonly missing?: string
  readonly insufficient?: string
}

export interface PreferenceInfo {
  /** In the header, without vendor prefix: `body-content-type`. */
  readonly name: string
  readonly values: readonly string[]
  readonly default?: string
  readonly property?: string
}

/** What can go wrong before a handler is asked, or without one. */
export type Fault =
  | 'pathNotFound'
  | 'itemNotFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'unsupportedMediaType'
  | 'malformedQueryOption'
  | 'unsupportedQueryOption'
  | 'malformedBody'
  | 'invalidBody'
  | 'malformedKey'
  | 'invalidParameter'
  | 'malformedEntityTag'
  | 'preconditionFailed'
  | 'preconditionRequired'
  | 'conflict'
  | 'expiredToken'
  | 'payloadTooLarge'
  | 'uriTooLong'
  | 'tooManyRequests'
  | 'notImplemented'
  | 'internalError'
  | 'serviceUnavailable'

export type RouteKind = 'collection' | 'item' | 'count' | 'delta' | 'create' | 'update' | 'replace' | 'delete' | 'call'

export interface Route {
  /** `me.messages.list`: where its handler is found. */
  readonly name: string
  readonly kind: RouteKind
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As the spec writes it, `/me/messages/{id}`. */
  readonly path: string
  readonly segments: readonly RouteSegment[]
  /** What the path stands for when the template itself does not say it: names from the container on. */
  readonly resource: readonly ResourceSegment[]
  readonly status: number
  /** The entity type read, created, changed or deleted. */
  readonly type?: string
  readonly query?: Capabilities
  readonly ifMatch?: Support
  readonly ifNoneMatch?: Support
  readonly absent?: 404 | 204
  readonly scopes: readonly string[]
  /** Names of the errors that its handler may give. */
  readonly errors: readonly string[]
  readonly preferences: readonly string[]
  readonly operation?: OperationInfo
}

/** What a request path is matched against, segment by segment. */
export type RouteSegment =
  | { readonly kind: 'name'; readonly name: string }
  /** Accepted as `/value`, `('value')` and `(property='value')` alike. */
  | { readonly kind: 'key'; readonly keys: readonly KeyInfo[] }
  /**
   * A function or action; a function's parameters may come inline, as aliases, or as query options. It is called by its name,
   * or qualified: by the service's namespace unless another name is given. `overload` tells functions of one name apart: the
   * parameters that stand in its parentheses.
   */
  | {
      readonly kind: 'operation'
      readonly name: string
      readonly qualifiedName?: string
      readonly overload?: readonly string[]
    }
  | { readonly kind: 'count' }
  | { readonly kind: 'delta' }

export interface KeyInfo {
  /** Name in the handler's `keys`. */
  readonly variable: string
  readonly property: string
  /** Edm type. */
  readonly type: string
}

/** The same path as the model resolves it, for handlers that are generic. */
export type ResourceSegment =
  | { readonly kind: 'entitySet' | 'singleton'; readonly name: string; readonly type: string }
  | { readonly kind: 'key'; readonly type: string; readonly variables: readonly string[] }
  | { readonly kind: 'navigation'; readonly name: string; readonly type: string; readonly collection: boolean }
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'cast'; readonly type: string }
  | { readonly kind: 'operation'; readonly name: string }

interface OperationInfo {
  readonly kind: 'action' | 'function'
  readonly name: string
  readonly parameters: Readonly<Record<string, ParameterInfo>>
  readonly returns?: { readonly type: string; readonly collection?: true; readonly nullable?: true }
  /** Qualified name of the type it is bound to. */
  readonly binding?: string
}

export interface ParameterInfo extends PropertyInfo {
  readonly optional?: true
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

/** A service table as text holds it: query options stand once, by name, however many routes share them. */
interface SerializedServiceTable extends Omit<ServiceTable, 'routes'> {
  readonly queries: Readonly<Record<string, Capabilities>>
  readonly routes: readonly SerializedRoute[]
}

interface SerializedRoute extends Omit<Route, 'query'> {
  readonly query?: string
}

/**
 * Reads the service table that the generator wrote, as JSON: compilers and engines take that in a fraction of the time
 * that a literal of the same size takes them. Throws a `TypeError` when a route names query options that the text lacks.
 */
export function readServiceTable(text: string): ServiceTable {
  const { queries, routes, ...table }: SerializedServiceTable = JSON.parse(text)
  const named = new Map(Object.entries(queries))
  const queryOf = (route: string, name: string): Capabilities => {
    const query = named.get(name)
    if (query === undefined) throw new TypeError(`${route} names the query options of ${name}, which the table lacks.`)
    return query
  }
  return {
    ...table,
    routes: routes.map(({ query, ...route }) =>
      query === undefined ? route : { ...route, query: queryOf(route.name, query) },
    ),
  }
}

/** Holds a table to what types cannot say. Throws a `TypeError` that names the first contradiction. */
export function validateServiceTable(table: ServiceTable): void {
  for (const { status, code } of [...Object.values(table.errors), ...Object.values(table.faults)]) {
    validateStatus(code, status)
  }
  for (const route of table.routes) {
    validateStatus(route.name, route.status)
    const conditions = route.query?.requires.map(condition => condition.otherwise) ?? []
    for (const error of [...route.errors, ...conditions]) {
      if (!Object.hasOwn(table.errors, error)) {
        throw new TypeError(`${route.name} names the error ${error}, which the table lacks.`)
      }
    }
  }
}

function validateStatus(name: string, status: number): void {
  if (!isStatus(status)) throw new TypeError(`${name} has the status ${status}, which no response can have.`)
}
