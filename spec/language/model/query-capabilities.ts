import type { Annotations } from './place.js'
import type { ErrorDefinition, OpenChoice } from './service.js'

/** `required`: every implementation must. `optional`: it may refuse with an error. `none`: it must refuse. */
export type Support = 'required' | 'optional' | 'none'

/** What one endpoint allows of the query language, every default filled in. */
export interface QueryCapabilities extends Annotations {
  /** Key in `queryOptions`; for options written at an endpoint, the endpoint's name. */
  readonly name: string
  readonly select: Support
  readonly filter: FilterCapabilities
  readonly orderby: OrderbyCapabilities
  readonly expand: ExpandCapabilities
  readonly top: TopCapabilities
  readonly skip: Support
  readonly count: Support
  readonly search: SearchCapabilities
  readonly requires: readonly Condition[]
}

export interface FilterCapabilities {
  readonly support: Support
  /** By name in lower case; what is absent is `none`. `not`, `negate` for unary minus. */
  readonly operators: Readonly<Record<string, Support>>
  readonly functions: Readonly<Record<string, Support>>
  readonly lambdas: Readonly<Record<string, Support>>
  /** Exceptions by property path, `from/emailAddress`; what is absent has the endpoint's own support. */
  readonly properties: Readonly<Record<string, PropertyFilterCapabilities>>
  readonly maxNodes?: number
}

export interface PropertyFilterCapabilities {
  readonly support: Support
  /** Absent: as the endpoint. */
  readonly operators?: readonly string[]
  readonly functions?: readonly string[]
}

export interface OrderbyCapabilities {
  readonly support: Support
  /** Absent: every primitive property, also through single complex properties. */
  readonly only?: readonly string[]
  /** Exceptions by property path. */
  readonly properties: Readonly<Record<string, Support>>
  readonly maxKeys?: number
}

export interface ExpandCapabilities {
  readonly support: Support
  readonly relations: Readonly<Record<string, Support>>
  readonly maxDepth: number
  readonly nested: readonly string[]
}

export interface TopCapabilities {
  readonly support: Support
  readonly default?: number
  readonly max?: number
  readonly above: 'error' | 'clamp' | 'open'
  readonly min: 0 | 1
}

export interface SearchCapabilities {
  readonly support: Support
  readonly syntax: 'propertyTerms' | 'words'
  readonly join: readonly ('OR' | 'AND' | 'NOT')[]
  readonly properties: readonly string[]
}

/** Construct X needs header H, else error E. */
export interface Condition extends Annotations {
  /** Any of these; each is a list of constructs that must all occur. */
  readonly when: readonly (readonly string[])[]
  readonly header: { readonly name: string; readonly value: string }
  readonly otherwise: ErrorDefinition
  /** Whether a service demands the header here is this choice; our own does when `reference` is `rejected`. */
  readonly open?: OpenChoice
}
