import type { Annotated, SupportWord } from './annotated.js'

export interface QueryOptionsDocument extends Annotated {
  readonly select?: SupportWord
  readonly filter?: SupportWord | FilterDocument
  readonly orderby?: SupportWord | OrderbyDocument
  readonly expand?: SupportWord | ExpandDocument
  readonly top?: SupportWord | TopDocument
  readonly skip?: SupportWord
  readonly count?: SupportWord
  readonly search?: SupportWord | SearchDocument
  readonly requires?: readonly ConditionDocument[]
}

export interface FilterDocument extends Annotated {
  readonly support?: SupportWord
  /** Default: eq ne gt ge lt le and or not. A list means each `optional`; a map gives each its own word. */
  readonly operators?: readonly string[] | Readonly<Record<string, SupportWord>>
  readonly functions?: readonly string[] | Readonly<Record<string, SupportWord>>
  readonly lambdas?: readonly ('any' | 'all')[] | Readonly<Record<string, SupportWord>>
  /** Exceptions by property path; default: every structural property may be filtered. */
  readonly properties?: Readonly<Record<string, SupportWord | PropertyFilterDocument>>
  readonly maxNodes?: number
}

export interface PropertyFilterDocument {
  readonly support?: SupportWord
  readonly operators?: readonly string[]
  readonly functions?: readonly string[]
}

export interface OrderbyDocument extends Annotated {
  readonly support?: SupportWord
  /** `all`: every primitive property (default). Otherwise the property paths, each optional, or a map of exceptions. */
  readonly properties?: 'all' | readonly string[] | Readonly<Record<string, SupportWord>>
  readonly maxKeys?: number
}

export interface ExpandDocument extends Annotated {
  readonly support?: SupportWord
  /** Default: every relation. */
  readonly relations?: readonly string[] | Readonly<Record<string, SupportWord>>
  /** 1: no expand inside an expand (default). */
  readonly maxDepth?: number
  /** Options allowed inside an expanded relation. Default: select. */
  readonly nested?: readonly (
    | 'select'
    | 'expand'
    | 'filter'
    | 'orderby'
    | 'top'
    | 'skip'
    | 'count'
    | 'search'
    | 'levels'
  )[]
}

export interface TopDocument extends Annotated {
  readonly support?: SupportWord
  /** Items a page when `$top` is absent. */
  readonly default?: number
  readonly max?: number
  /** What `$top` above `max` gets; `open` leaves it to the choice `topAboveMaximum`. */
  readonly above?: 'error' | 'clamp' | 'open'
  readonly min?: 0 | 1
}

export interface SearchDocument extends Annotated {
  readonly support?: SupportWord
  /** `propertyTerms`: `"property:term"`; `words`: the terms of OData. */
  readonly syntax?: 'propertyTerms' | 'words'
  readonly join?: readonly ('OR' | 'AND' | 'NOT')[]
  /** Default: the properties with `search`. */
  readonly properties?: readonly string[]
}

/** Construct X needs header H, else error E: what the Capabilities vocabulary cannot say. */
export interface ConditionDocument extends Annotated {
  /**
   * Any of these triggers it. `filter`, `filter.<operator or function>`, `filter.any`, `filter.all`, `search`, `count`,
   * `countPath`, `orderby`, `expand`, `skip`, `top`, `select`; joined by `+` when all must occur together.
   */
  readonly when: readonly string[]
  readonly header: Readonly<Record<string, string>>
  readonly otherwise: string
  /**
   * The choice under `open` that says whether a service demands the header here at all. A client sends it in any case; our
   * own service demands it only when its answer to that choice is `rejected`.
   */
  readonly open?: string
}
