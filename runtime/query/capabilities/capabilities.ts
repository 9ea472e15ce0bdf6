/**
 * What one endpoint allows of the query language: plain data, printed into generated code.
 *
 * `required`: every implementation must; `optional`: it may refuse with an error; `none`: it must refuse. A server that
 * stands on this runtime supports what is `required` or `optional`.
 *
 * @see OData Capabilities vocabulary V1
 */
export type Support = 'required' | 'optional' | 'none'

export interface Capabilities {
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
  /** By name in lower case (`eq`, `not`, `negate` for unary minus); what is absent is `none`. */
  readonly operators: Readonly<Record<string, Support>>
  readonly functions: Readonly<Record<string, Support>>
  /** `any`, `all`. */
  readonly lambdas: Readonly<Record<string, Support>>
  /** Exceptions by property path, `from/emailAddress`; they hold for what is below the path, too. */
  readonly properties: Readonly<Record<string, PropertyFilterCapabilities>>
  readonly maxNodes?: number
}

export interface PropertyFilterCapabilities {
  readonly support: Support
  readonly operators?: readonly string[]
  readonly functions?: readonly string[]
}

export interface OrderbyCapabilities {
  readonly support: Support
  /** Absent: every primitive property, also through single complex properties. */
  readonly only?: readonly string[]
  readonly properties: Readonly<Record<string, Support>>
  readonly maxKeys?: number
}

export interface ExpandCapabilities {
  readonly support: Support
  readonly relations: Readonly<Record<string, Support>>
  /** 1: no expand inside an expand. */
  readonly maxDepth: number
  /** Options allowed inside an expanded relation, without `$`. */
  readonly nested: readonly string[]
}

export interface TopCapabilities {
  readonly support: Support
  /** Items a page when `$top` is absent. */
  readonly default?: number
  readonly max?: number
  readonly above: 'error' | 'clamp' | 'open'
  readonly min: 0 | 1
}

export interface SearchCapabilities {
  readonly support: Support
  /** `propertyTerms`: `"property:term"`; `words`: the terms of OData. */
  readonly syntax: 'propertyTerms' | 'words'
  readonly join: readonly ('OR' | 'AND' | 'NOT')[]
  readonly properties: readonly string[]
}

/** Construct X needs header H, else error E: what the Capabilities vocabulary cannot say. */
export interface Condition {
  /**
   * Any of these triggers it; each is a list of constructs that must all occur: `filter`, `filter.contains`,
   * `filter.any`, `search`, `count`, `countPath`, `orderby`, `expand`, `skip`, `top`, `select`.
   */
  readonly when: readonly (readonly string[])[]
  readonly header: { readonly name: string; readonly value: string }
  /** Name of the error that answers without the header. */
  readonly otherwise: string
}
