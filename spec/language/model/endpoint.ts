import type { Operation } from './operation.js'
import type { Annotations } from './place.js'
import type { QueryCapabilities, Support } from './query-capabilities.js'
import type { ContainerElement, EntitySet, ErrorDefinition, Path, Preference, Singleton } from './service.js'
import type { ComplexType, EntityType, NavigationProperty, Property, StructuredType } from './types.js'

/** One method on one path: what code calls `me.messages.list`. */
export type Endpoint = ReadEndpoint | CreateEndpoint | UpdateEndpoint | DeleteEndpoint | CallEndpoint

interface EndpointBase extends Annotations {
  /** Dotted, unique in the service: the path's names, then list, get, create, update, replace, delete, count, delta or the operation. */
  readonly name: string
  readonly path: Path
  /** What the path stands for, step by step. */
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
  | { readonly kind: 'navigation'; readonly property: NavigationProperty; readonly source?: ContainerElement }
  | { readonly kind: 'property'; readonly property: Property; readonly type: ComplexType }
  | { readonly kind: 'cast'; readonly type: StructuredType }
  /** `variables`: template variables of an inline call `(a={a})`, by parameter name. */
  | { readonly kind: 'operation'; readonly operation: Operation; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'count' }
  | { readonly kind: 'delta' }
