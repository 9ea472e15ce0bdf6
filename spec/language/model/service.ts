import type { FaultName } from '../document/index.js'
import type { Endpoint } from './endpoint.js'
import type { Operation } from './operation.js'
import type { Annotations, Place } from './place.js'
import type { QueryCapabilities } from './query-capabilities.js'
import type { ComplexType, EntityType, EnumType, TypeDefinition } from './types.js'

/**
 * A service as its spec describes it: immutable, references resolved to the objects they name, every element with its
 * place in the source. Types refer to each other in circles, so it is never serialised as it stands.
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
  readonly limits: { readonly url: number; readonly body: number; readonly expandDepth?: number }
  /** Every element that says what the interface does not, in order of the spec. */
  readonly assumptions: readonly Assumption[]
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

export interface EntitySet extends Annotations {
  readonly kind: 'entitySet'
  readonly name: string
  readonly type: EntityType
  /** Navigation path -> the set that its targets are in. */
  readonly bindings: ReadonlyMap<string, EntitySet>
}

export interface Singleton extends Annotations {
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
  readonly open?: OpenChoice
  readonly place: Place
}

export interface OpenChoice extends Annotations {
  readonly name: string
  readonly legal: readonly (string | number)[]
  readonly reference: string | number
}

export interface Profile {
  readonly name: string
  readonly choices: readonly { readonly choice: OpenChoice; readonly value: string }[]
  readonly place: Place
}

export interface Assumption {
  /** Where in the spec, `resources/user/properties/department`. */
  readonly element: string
  readonly why: string
  readonly ref?: string
  readonly place: Place
}
