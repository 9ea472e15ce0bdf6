import {
  type Capabilities,
  isSubtype,
  type PropertyInfo,
  type QueryLimits,
  type ServiceFunction,
  type StructuredTypeInfo,
  type Support,
  type TypeInfo,
  type TypeTable,
} from '../query/index.js'
import { isStatus } from './http/message.js'

/**
 * The description of a service for the server core, as plain data. The generator writes it to the skeleton. A service
 * that runs directly from its spec builds the same table at startup.
 */
export interface ServiceTable {
  readonly name: string
  readonly namespace: string
  /** The path segment of the version, `v1.0`. */
  readonly version: string
  readonly types: TypeTable
  /** Entity sets and singletons by name. */
  readonly container: Readonly<Record<string, ContainerInfo>>
  readonly routes: readonly Route[]
  readonly errors: Readonly<Record<string, ErrorInfo>>
  readonly faults: Readonly<Record<Fault, ErrorInfo>>
  readonly authentication: AuthenticationInfo
  readonly preferences: Readonly<Record<string, PreferenceInfo>>
  /** What the service chose where the interface leaves a choice open, `topMeaning` -> `pageSize`. */
  readonly choices: Readonly<Record<string, string | number>>
  /** The functions of the service that queries can call, by unqualified name. Default: none. */
  readonly functions?: Readonly<Record<string, ServiceFunction>>
  /** Functions that filters name, but that queries cannot call, with the reason: `it has overloads`. Default: none. */
  readonly uncallable?: Readonly<Record<string, string>>
  /** What the service supports of what OData defines for whole services. Default: nothing. */
  readonly features?: readonly Feature[]
  readonly limits: ServiceLimits
  /** The form in which handlers receive Int64 and Decimal. Default: as numbers; a body that needs more digits gets 400. */
  readonly numbers?: NumberForm
}

/**
 * `propertyPaths`: paths to the properties of items, `/books/1/title` and `/books/1/title/$value`. The core answers them with
 * the handlers that read and update the items. `bind`: bodies link items, `author@odata.bind`. `references`: paths to links,
 * `/books/1/author/$ref`, which the core answers with the same handlers. `deepInsert`: a create contains related items.
 * `deepUpdate`: a PATCH or PUT contains related items. `upsert`: an update of an absent item creates it.
 * `batch`: the service has `$batch`, which the core leaves to a route.
 * `trackChanges`: lists answer `Prefer: odata.track-changes` with the handlers of their paths `delta`.
 * `omitValues`: reads with `Prefer: omit-values` omit nulls or defaults, which the core does in any case.
 * `respondAsync`: requests with `Prefer: respond-async` get the URL of a status monitor.
 */
export type Feature =
  | 'propertyPaths'
  | 'bind'
  | 'references'
  | 'deepInsert'
  | 'deepUpdate'
  | 'upsert'
  | 'batch'
  | 'trackChanges'
  | 'omitValues'
  | 'respondAsync'

/** The limits of requests. Those of queries have defaults. */
export interface ServiceLimits extends Partial<QueryLimits> {
  /** Characters of the request target. */
  readonly url: number
  /** Bytes of a request body. */
  readonly body: number
  /** Bytes of a stream that a request sends. Default: 16 MiB. */
  readonly stream?: number
  /** Related items in the body of a write, or in all bodies of a batch. Default: 500. */
  readonly nestedItems?: number
  /** Words that one write adds to what `$search` looks in. Handlers keep to it. */
  readonly indexedWords?: number
  /** Items that one write deletes, with those that they contain. Handlers keep to it. */
  readonly deletedItems?: number
  /** Items that `$expand` adds to one response. Handlers keep to it. */
  readonly expandedItems?: number
  /** Bytes of the items of one response. Handlers keep to it. */
  readonly responseBytes?: number
  /** Steps of matching patterns in one statement. Handlers keep to it. */
  readonly patternSteps?: number
}

/**
 * `exact`: a number or, if that would lose digits, a string. `string`: always a string. `bigint`: Int64 as a bigint, Decimal as a
 * string. Handlers can return all of them, whatever they receive.
 */
export type NumberForm = 'exact' | 'string' | 'bigint'

interface ContainerInfo {
  readonly kind: 'entitySet' | 'singleton'
  readonly type: string
  /** The singleton is the item of the caller. */
  readonly principal?: true
}

export interface ErrorInfo {
  readonly status: number
  readonly code: string
  /** Can contain `{placeholders}`. */
  readonly message: string
}

interface AuthenticationInfo {
  readonly scheme: 'bearer' | 'none'
  /** The name of the error for a missing credential. */
  readonly missing?: string
  readonly insufficient?: string
}

export interface PreferenceInfo {
  /** The name in the header, without vendor prefix: `body-content-type`. */
  readonly name: string
  readonly values: readonly string[]
  readonly default?: string
  readonly property?: string
}

/** The errors that the core itself can detect. */
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

export type RouteKind =
  | 'collection'
  | 'item'
  | 'count'
  | 'delta'
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'call'
  | StreamRouteKind

/** `createMedia` creates a media entity from its stream. The others are for the stream of an item. */
export type StreamRouteKind = 'createMedia' | 'readStream' | 'replaceStream' | 'deleteStream'

/** The stream that a route reads or writes. */
export interface StreamInfo {
  /** The name of the stream property. Absent: the media stream of the item itself. */
  readonly property?: string
  /** The media types that it can have, `image/*`. Absent: any. */
  readonly mediaTypes?: readonly string[]
  /** The maximum number of bytes. */
  readonly maxLength?: number
}

export interface Route {
  /** The path to its handler: `me.messages.list`. */
  readonly name: string
  readonly kind: RouteKind
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As in the spec, `/me/messages/{id}`. */
  readonly path: string
  readonly segments: readonly RouteSegment[]
  /** The path in terms of the model, starting at the entity container. */
  readonly resource: readonly ResourceSegment[]
  readonly status: number
  /** The entity type that the route reads, creates, updates or deletes. */
  readonly type?: string
  readonly query?: Capabilities
  readonly ifMatch?: Support
  readonly ifNoneMatch?: Support
  readonly absent?: 404 | 204
  readonly scopes: readonly string[]
  /** The names of the errors that its handler can return. */
  readonly errors: readonly string[]
  readonly preferences: readonly string[]
  readonly operation?: OperationInfo
  /** For streams. */
  readonly stream?: StreamInfo
}

export type RouteSegment =
  | { readonly kind: 'name'; readonly name: string }
  /** Matches `/value`, `('value')` and `(property='value')`. */
  | { readonly kind: 'key'; readonly keys: readonly KeyInfo[] }
  /** Matches `(property='value')` only. */
  | { readonly kind: 'alternateKey'; readonly keys: readonly KeyInfo[] }
  /**
   * A function or action, called by its name or its qualified name (default: the name in the service's namespace). A
   * function's parameters can be inline, aliases or query options. `overload` distinguishes functions with the same
   * name: it lists the parameters in the parentheses.
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
  readonly variable: string
  readonly property: string
  /** Edm type. */
  readonly type: string
}

/** A segment of the path in terms of the model, for generic handlers. */
export type ResourceSegment =
  | { readonly kind: 'entitySet' | 'singleton'; readonly name: string; readonly type: string }
  | { readonly kind: 'key'; readonly type: string; readonly variables: readonly string[] }
  /** Another key: the item whose properties have the values of the variables, in their order. */
  | {
      readonly kind: 'alternateKey'
      readonly type: string
      readonly properties: readonly string[]
      readonly variables: readonly string[]
    }
  | {
      readonly kind: 'navigation'
      readonly name: string
      readonly type: string
      readonly collection: boolean
      /** The entity set to which the path binds it, if several have the type. */
      readonly set?: string
    }
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'cast'; readonly type: string }
  | { readonly kind: 'operation'; readonly name: string }

export interface OperationInfo {
  readonly kind: 'action' | 'function'
  readonly name: string
  readonly parameters: Readonly<Record<string, ParameterInfo>>
  readonly returns?: { readonly type: string; readonly collection?: true; readonly nullable?: true }
  readonly binding?: string
}

export interface ParameterInfo extends PropertyInfo {
  readonly optional?: true
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

/** A service table in generated code. Routes refer to query options by name, so that shared options are stored once. */
export interface CompactServiceTable extends Omit<ServiceTable, 'routes'> {
  readonly queries: Readonly<Record<string, Capabilities>>
  readonly routes: Readonly<Record<string, CompactRoute>>
}

interface CompactRoute extends Omit<Route, 'name' | 'query'> {
  readonly query?: string
}

/** Expands the service table of generated code. Throws a `TypeError` if a route refers to missing query options. */
export function readServiceTable({ queries, routes, ...table }: CompactServiceTable): ServiceTable {
  const named = new Map(Object.entries(queries))
  const queryOf = (route: string, name: string): Capabilities => {
    const query = named.get(name)
    if (query === undefined)
      throw new TypeError(`${route} refers to the query options of ${name}, which are missing in the table.`)
    return query
  }
  return {
    ...table,
    routes: Object.entries(routes).map(([name, { query, ...route }]) =>
      query === undefined ? { name, ...route } : { name, ...route, query: queryOf(name, query) },
    ),
  }
}

/** Checks what the types can't express. Throws a `TypeError` for the first contradiction. */
export function validateServiceTable(table: ServiceTable): void {
  for (const { status, code } of [...Object.values(table.errors), ...Object.values(table.faults)]) {
    validateStatus(code, status)
  }
  for (const route of table.routes) {
    validateStatus(route.name, route.status)
    const conditions = route.query?.requires.map(condition => condition.otherwise) ?? []
    for (const error of [...route.errors, ...conditions]) {
      if (!Object.hasOwn(table.errors, error)) {
        throw new TypeError(`${route.name} refers to the error ${error}, which is missing in the table.`)
      }
    }
  }
}

function validateStatus(name: string, status: number): void {
  if (!isStatus(status)) throw new TypeError(`${name} has the invalid status ${status}.`)
}

/** The type with a name. Undefined: it is a primitive type or doesn't exist. */
export function typeInfo(types: TypeTable, name: string): TypeInfo | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}

/** The entity type or complex type with a name. Undefined: there is no such type. */
export function structuredType(types: TypeTable, name: string): StructuredTypeInfo | undefined {
  const type = typeInfo(types, name)
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}

/** The underlying type of a type definition. Other names stay unchanged. */
export function underlyingType(types: TypeTable, name: string): string {
  const type = typeInfo(types, name)
  return type?.kind === 'typeDefinition' ? type.type : name
}

export interface KeyProperty {
  readonly name: string
  /** Edm type. */
  readonly type: string
}

/** The key properties of an entity type. Undefined: the name isn't that of an entity type. */
export function keyProperties(types: TypeTable, name: string | undefined): readonly KeyProperty[] | undefined {
  const info = name === undefined ? undefined : typeInfo(types, name)
  if (info?.kind !== 'entityType') return undefined
  return info.key.map(property => ({ name: property, type: info.properties[property]?.type ?? 'Edm.String' }))
}

/** The name of a type in CSDL and in payloads. */
export function qualifiedTypeName(
  type: string,
  { types, namespace }: Pick<ServiceTable, 'types' | 'namespace'>,
): string {
  if (type.includes('.')) return type
  return typeInfo(types, type)?.qualifiedName ?? `${namespace}.${type}`
}

/** The types that a value of a type can have: the type itself and those that derive from it, without abstract ones. */
export function concreteTypes(declared: string, types: TypeTable): readonly string[] {
  return Object.keys(types).filter(name => {
    const type = structuredType(types, name)
    return type !== undefined && type.abstract !== true && isSubtype(name, declared, types)
  })
}
