import type { Capabilities, Condition as PlainCondition, QueryLimits, Support } from '../../../runtime/query/index.js'
import type { FaultName, FeatureName } from '../document.js'
import type { Aspect } from './aspects.js'
import type {
  AlternateKey,
  Annotations,
  ComplexType,
  EntityType,
  EnumType,
  NavigationProperty,
  Operation,
  Property,
  Renamed,
  SpecLocation,
  StructuredType,
  TypeDefinition,
} from './types.js'

/**
 * A service as its spec describes it: immutable, references resolved to the objects they name, every element with its
 * location in the source. Types refer to each other in cycles, so it is never serialised as it is.
 */
export interface Service extends Annotations {
  readonly name: string
  readonly title: string
  /** CSDL namespace; types are `namespace.name`. */
  readonly namespace: string
  /** Path segment after the base address, `v1.0`. */
  readonly version: string
  readonly authentication: Authentication
  /** In the order of the spec. */
  readonly entityTypes: readonly EntityType[]
  readonly complexTypes: readonly ComplexType[]
  readonly enumTypes: readonly EnumType[]
  readonly typeDefinitions: readonly TypeDefinition[]
  readonly container: readonly ContainerElement[]
  readonly queryCapabilities: readonly QueryCapabilities[]
  readonly paths: readonly Path[]
  /** All endpoints of all paths, in order. */
  readonly endpoints: readonly Endpoint[]
  readonly operations: readonly Operation[]
  readonly preferences: readonly Preference[]
  readonly errors: readonly ErrorDefinition[]
  /** Every fault, each with its error: the declared one, or the built-in one. */
  readonly faults: Readonly<Record<FaultName, ErrorDefinition>>
  readonly errorBody: { readonly required: readonly string[]; readonly optional: readonly string[] }
  readonly clauses: readonly Clause[]
  readonly open: readonly OpenChoice[]
  readonly profiles: readonly Profile[]
  /** Every feature with the support for it. */
  readonly features: Readonly<Record<FeatureName, Support>>
  readonly limits: ServiceLimits
  /** Every element that says what the interface does not, in order of the spec. */
  readonly assumptions: readonly Assumption[]
}

/** The limits of requests. Those that are absent have defaults where they are checked. */
export interface ServiceLimits extends Partial<QueryLimits> {
  /** Characters of the request target. */
  readonly url: number
  /** Bytes of a request body. */
  readonly body: number
  /** Bytes of a stream that a request sends. */
  readonly stream: number
  /** Related items in the body of a write. */
  readonly nestedItems?: number
  /** Words that one write adds to what `$search` looks in. Handlers keep to it. */
  readonly indexedWords?: number
  /** Items that one write deletes, with those that they contain. Handlers keep to it. */
  readonly deletedItems?: number
  /** Items that `$expand` adds to one response. */
  readonly expandedItems?: number
  /** Bytes of the items of one response. */
  readonly responseBytes?: number
  /** Steps of matching patterns in one statement. */
  readonly patternSteps?: number
}

export interface Authentication extends Annotations {
  readonly scheme: 'bearer' | 'none'
  /** 401; absent when the scheme is `none`. */
  readonly missing?: ErrorDefinition
  /** 403. */
  readonly insufficient?: ErrorDefinition
  readonly scopes: readonly { readonly name: string; readonly description: string }[]
}

export type ContainerElement = EntitySet | Singleton

export interface EntitySet extends Annotations, Renamed {
  readonly kind: 'entitySet'
  readonly name: string
  readonly type: EntityType
  /** Navigation path -> the set that its targets are in. */
  readonly bindings: ReadonlyMap<string, EntitySet>
}

export interface Singleton extends Annotations, Renamed {
  readonly kind: 'singleton'
  readonly name: string
  readonly type: EntityType
  /** The item of the signed-in caller. */
  readonly principal: boolean
  readonly bindings: ReadonlyMap<string, EntitySet>
}

export interface Path extends Annotations {
  /** As written, `/me/messages/{id}`. */
  readonly template: string
  readonly endpoints: readonly Endpoint[]
}

export interface Preference extends Annotations {
  /** Key in the spec. */
  readonly id: string
  /** In the header, `body-content-type`. */
  readonly name: string
  readonly values: readonly string[]
  readonly default?: string
  readonly property?: string
}

export interface ErrorDefinition extends Annotations {
  /** Key in the spec, `itemNotFound`. */
  readonly name: string
  readonly status: number
  readonly code: string
  readonly message: string
  /** What another implementation may answer instead; empty: only `status`. */
  readonly legal: readonly (number | '4xx' | '5xx')[]
  /** Not in the spec: the language's own answer to a fault. */
  readonly builtIn: boolean
}

export interface Clause {
  readonly id: string
  readonly ref: string
  readonly quote: string
  /** The aspects of the service that the sentence is about; at least one. */
  readonly aspects: readonly Aspect[]
  readonly open?: OpenChoice
  readonly location: SpecLocation
}

export interface OpenChoice extends Annotations {
  readonly name: string
  readonly legal: readonly (string | number)[]
  readonly reference: string | number
}

export interface Profile {
  readonly name: string
  readonly choices: readonly { readonly choice: OpenChoice; readonly value: string }[]
  readonly location: SpecLocation
}

export interface Assumption {
  /** Where in the spec, `resources/user/properties/department`. */
  readonly element: string
  readonly why: string
  readonly ref?: string
  readonly location: SpecLocation
}

/** One method on one path: what code calls `me.messages.list`. */
export type Endpoint = ReadEndpoint | CreateEndpoint | UpdateEndpoint | DeleteEndpoint | CallEndpoint | StreamEndpoint

interface EndpointBase extends Annotations {
  /** Dotted, unique in the service: the path's names, then list, get, create, update, replace, delete, count, delta or the operation. */
  readonly name: string
  readonly path: Path
  /** Where the path leads, step by step. */
  readonly resolved: readonly ResolvedSegment[]
  /** The keys in the path, in order. */
  readonly keys: readonly PathKey[]
  readonly support: Support
  readonly status: number
  readonly scopes: readonly string[]
  /** Errors this endpoint may give beside its faults, in spec order. */
  readonly errors: readonly ErrorDefinition[]
  readonly preferences: readonly Preference[]
}

export interface ReadEndpoint extends EndpointBase {
  readonly kind: 'collection' | 'item' | 'count' | 'delta'
  readonly method: 'GET'
  /** The type of the items read; for `count` of the items counted. */
  readonly type: EntityType
  readonly query?: QueryCapabilities
  readonly ifNoneMatch: Support
  /** What a single relation without a target answers. */
  readonly absent: 404 | 204
}

export interface CreateEndpoint extends EndpointBase {
  readonly kind: 'create'
  readonly method: 'POST'
  readonly type: EntityType
}

export interface UpdateEndpoint extends EndpointBase {
  readonly kind: 'update' | 'replace'
  readonly method: 'PATCH' | 'PUT'
  readonly type: EntityType
  readonly ifMatch: Support
}

export interface DeleteEndpoint extends EndpointBase {
  readonly kind: 'delete'
  readonly method: 'DELETE'
  readonly type: EntityType
  readonly ifMatch: Support
}

/** A request whose content, or that of its response, is a stream of bytes and not JSON. */
export type StreamEndpoint = CreateMediaEndpoint | ReadStreamEndpoint | ReplaceStreamEndpoint | DeleteStreamEndpoint

interface StreamEndpointBase extends EndpointBase {
  /** The type of the item that has the stream. */
  readonly type: EntityType
  /** The stream property. Absent: the media stream of the item itself. */
  readonly property?: Property
}

/** Creates a media entity from its media stream. */
export interface CreateMediaEndpoint extends StreamEndpointBase {
  readonly kind: 'createMedia'
  readonly method: 'POST'
}

export interface ReadStreamEndpoint extends StreamEndpointBase {
  readonly kind: 'readStream'
  readonly method: 'GET'
  readonly ifNoneMatch: Support
}

export interface ReplaceStreamEndpoint extends StreamEndpointBase {
  readonly kind: 'replaceStream'
  readonly method: 'PUT'
  readonly ifMatch: Support
}

export interface DeleteStreamEndpoint extends StreamEndpointBase {
  readonly kind: 'deleteStream'
  readonly method: 'DELETE'
  readonly ifMatch: Support
}

export interface CallEndpoint extends EndpointBase {
  readonly kind: 'call'
  readonly method: 'GET' | 'POST'
  readonly operation: Operation
  readonly query?: QueryCapabilities
}

/** A key in a path template: `{id}`, or one part of `(isbn={isbn},number={number})`. */
export interface PathKey {
  /** Name of the template variable. */
  readonly variable: string
  readonly property: Property
  readonly type: EntityType
  /** Index of its segment among `resolved`. */
  readonly segment: number
}

export type ResolvedSegment =
  | { readonly kind: 'entitySet'; readonly element: EntitySet }
  | { readonly kind: 'singleton'; readonly element: Singleton }
  /** `variables` in the order of the type's key; `style` says how the template writes it: `/{id}` or `(isbn={isbn},…)`. */
  | {
      readonly kind: 'key'
      readonly type: EntityType
      readonly variables: readonly string[]
      readonly style: 'segment' | 'parentheses'
    }
  /** Another key, always by name: `(mail={mail})`. `variables` in the order of its properties. */
  | {
      readonly kind: 'alternateKey'
      readonly type: EntityType
      readonly properties: AlternateKey
      readonly variables: readonly string[]
    }
  /** `set`: the entity set to which `source` binds it. */
  | {
      readonly kind: 'navigation'
      readonly property: NavigationProperty
      readonly source?: ContainerElement
      readonly set?: EntitySet
    }
  | { readonly kind: 'property'; readonly property: Property; readonly type: ComplexType }
  /** At the end: a stream property, or without one the media stream of an item. */
  | { readonly kind: 'stream'; readonly property?: Property }
  | { readonly kind: 'cast'; readonly type: StructuredType }
  /** `variables`: template variables of an inline call `(a={a})`, by parameter name. */
  | { readonly kind: 'operation'; readonly operation: Operation; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'count' }
  | { readonly kind: 'delta' }

export type {
  ApplyCapabilities,
  ExpandCapabilities,
  FilterCapabilities,
  OrderbyCapabilities,
  PropertyFilterCapabilities,
  SearchCapabilities,
  Support,
  TopCapabilities,
} from '../../../runtime/query/index.js'

/** What one endpoint allows of the query language, every default filled in. */
export interface QueryCapabilities extends Annotations, Omit<Capabilities, 'requires'> {
  /** Key in `queryOptions`; for options written at an endpoint, the endpoint's name. */
  readonly name: string
  readonly requires: readonly Condition[]
}

/** Construct X needs header H, else error E. */
export interface Condition extends Annotations, Omit<PlainCondition, 'otherwise'> {
  readonly otherwise: ErrorDefinition
  /** Whether a service demands the header here is this choice; our own does when `reference` is `rejected`. */
  readonly open?: OpenChoice
}

/** Whether the content of a request or of its response is a stream of bytes. */
export function isStreamEndpoint(endpoint: Endpoint): endpoint is StreamEndpoint {
  return /^(?:createMedia|(?:read|replace|delete)Stream)$/.test(endpoint.kind)
}

/** Entity types and complex types. */
export function structuredTypes(service: Service): readonly StructuredType[] {
  return [...service.entityTypes, ...service.complexTypes]
}

/** The types of the items that each set of query options is used for. */
export function queryUses(service: Service): ReadonlyMap<QueryCapabilities, readonly EntityType[]> {
  const uses = new Map<QueryCapabilities, Set<EntityType>>()
  for (const endpoint of service.endpoints) {
    if (!('query' in endpoint) || endpoint.query === undefined) continue
    let types = uses.get(endpoint.query)
    if (types === undefined) {
      types = new Set()
      uses.set(endpoint.query, types)
    }
    if (endpoint.kind !== 'call') types.add(endpoint.type)
    else if (endpoint.operation.returns?.type.kind === 'entityType') types.add(endpoint.operation.returns.type)
  }
  return new Map([...uses].map(([capabilities, types]) => [capabilities, [...types]]))
}
