/**
 * The part of the query language that an endpoint supports: plain data that generated code contains.
 *
 * `required`: every implementation supports it. `optional`: an implementation can refuse it with an error. `none`: an
 * implementation must refuse it. A server on this runtime supports what is `required` or `optional`.
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
  /** Default: `none`. */
  readonly compute?: Support
  /** Default: `none`. */
  readonly apply?: ApplyCapabilities
  readonly search: SearchCapabilities
  readonly requires: readonly Condition[]
}

export interface FilterCapabilities {
  readonly support: Support
  /** By name in lower case (`eq`, `not`, `negate` for unary minus). Default: `none`. */
  readonly operators: Readonly<Record<string, Support>>
  readonly functions: Readonly<Record<string, Support>>
  /** `any`, `all`. */
  readonly lambdas: Readonly<Record<string, Support>>
  /** Exceptions by property path, `from/emailAddress`. They also apply to everything below the path. */
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
  /** Default: every primitive property, including those of single complex properties. */
  readonly only?: readonly string[]
  readonly properties: Readonly<Record<string, Support>>
  readonly maxKeys?: number
}

export interface ExpandCapabilities {
  readonly support: Support
  readonly relations: Readonly<Record<string, Support>>
  /** Whether every relation is allowed, so that `$expand=*` is, too. */
  readonly every?: boolean
  /** With 1, `$expand` cannot be nested. */
  readonly maxDepth: number
  /** The options, without `$`, that an expanded relation allows. */
  readonly nested: readonly string[]
  /**
   * Of which scopes a caller needs one to read the items of a relation, by its path. Default: the scopes of the path that
   * shows these items. Empty: only those of the endpoint.
   */
  readonly scopes?: Readonly<Record<string, readonly string[]>>
}

export interface TopCapabilities {
  readonly support: Support
  /** The page size without `$top`. */
  readonly default?: number
  readonly max?: number
  readonly above: 'error' | 'clamp' | 'open'
  readonly min: 0 | 1
}

/**
 * The transformations of `$apply`. Expressions in them support what a filter does.
 *
 * @see OData Aggregation vocabulary V1, ApplySupported
 */
export interface ApplyCapabilities {
  readonly support: Support
  /** `filter`, `groupby`, `aggregate` and so on. */
  readonly transformations: readonly string[]
  readonly rollup: boolean
  /** The properties to group by. Default: all. */
  readonly groupable?: readonly string[]
  /** The properties that `aggregate` can use. Default: all. */
  readonly aggregatable?: readonly string[]
}

export interface SearchCapabilities {
  readonly support: Support
  /** `propertyTerms`: `"property:term"`; `words`: the terms of OData. */
  readonly syntax: 'propertyTerms' | 'words'
  readonly join: readonly ('OR' | 'AND' | 'NOT')[]
  readonly properties: readonly string[]
}

/** A construct that needs a header. The Capabilities vocabulary cannot express this. */
export interface Condition {
  /**
   * The alternatives that trigger the condition, each a list of constructs that must all occur: `filter`, `filter.contains`,
   * `filter.any`, `search`, `count`, `countPath`, `orderby`, `expand`, `skip`, `top`, `select`.
   */
  readonly when: readonly (readonly string[])[]
  readonly header: { readonly name: string; readonly value: string }
  /** The name of the error in the absence of the header. */
  readonly otherwise: string
}
