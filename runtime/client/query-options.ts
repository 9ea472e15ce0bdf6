import type { CapabilityTypes, QueryOptionName } from './capability-types.js'
import type { EntityShape, Target, ToMany, ToOne } from './entity-shape.js'
import type { Filter, OfferedFilterBuilder } from './filter-builder.js'
import type { PropertyName, PropertyPath } from './property-path.js'
import type { Prefer, RequestOptions } from './request-options.js'

/** Query options of a read of `E`; `S` and `X` are what `select` and `expand` were given. */
interface ReadOptions<E extends EntityShape, C extends CapabilityTypes, S, X> {
  /** Only these properties are returned. */
  readonly select?: S
  /** Related items to be returned with each item: `true`, or options of their own. */
  readonly expand?: X & StrictExpand<E, C, X>
  /** Only items for which it is true; undefined: all. */
  readonly filter?: ((f: FilterBuilderOf<E, C>) => Filter | undefined) | undefined
  /** Sorted by these properties, the first one first; ascending unless `desc` is said. */
  readonly orderby?: readonly OrderbyItem<E, C>[] | undefined
  /** At most so many items; whether in all or in a page is the service's choice. */
  readonly top?: number | undefined
  /** Without the first so many items. */
  readonly skip?: number | undefined
  /** With the number of all items that match, whatever `top` and `skip` say. */
  readonly count?: boolean | undefined
  /** Only items that match the terms. */
  readonly search?: C['search'] | undefined
}

type FilterBuilderOf<E extends EntityShape, C extends CapabilityTypes> = OfferedFilterBuilder<
  FilterProperties<E, C>,
  C['filter']
>

type FilterProperties<E extends EntityShape, C extends CapabilityTypes> = ([C['unfilterable']] extends [never]
  ? E['properties']
  : Omit<E['properties'], C['unfilterable']>) &
  ([C['through']] extends [never]
    ? unknown
    : { readonly [N in C['through'] & keyof E['navigation']]: Related<E['navigation'][N]> })

type Related<N> =
  N extends ToMany<infer E>
    ? readonly E['properties'][]
    : N extends ToOne<infer E, boolean>
      ? E['properties'] | null
      : never

type OrderbyItem<E extends EntityShape, C extends CapabilityTypes> =
  | OrderbyPath<E, C>
  | `${OrderbyPath<E, C>} ${'asc' | 'desc'}`
type OrderbyPath<E extends EntityShape, C extends CapabilityTypes> = Extract<
  PropertyPath<E['properties']>,
  C['orderby']
>

/** What `select` may be given: names written in place narrow the result; a list built at run time makes all optional. */
export type Select<E extends EntityShape> = readonly PropertyName<E['properties']>[] | undefined

/** What `expand` may be given. */
export type Expand<E extends EntityShape, C extends CapabilityTypes> = {
  readonly [N in keyof E['navigation'] & C['expand']]?: true | NestedOptions<E['navigation'][N], C['nested']>
}

type NestedOptions<N, C extends CapabilityTypes> = Pick<
  ReadOptions<Target<N>, C, Select<Target<N>>, Expand<Target<N>, C>>,
  NestedOptionName<N, C>
>

/** A single related item is neither filtered nor paged. */
type NestedOptionName<N, C extends CapabilityTypes> =
  N extends ToMany<EntityShape> ? C['options'] : Extract<C['options'], 'select' | 'expand'>

/**
 * Makes a name that does not belong an error at its own place: what is inferred for a type parameter is not checked for
 * excess members.
 */
export type StrictExpand<E extends EntityShape, C extends CapabilityTypes, X> = {
  readonly [N in keyof X]: N extends keyof E['navigation'] & C['expand']
    ? X[N] extends true
      ? true
      : StrictOptions<E['navigation'][N], C['nested'], X[N]>
    : NoRelation<N>
}

type StrictOptions<N, C extends CapabilityTypes, Q> = {
  readonly [O in keyof Q]: O extends NestedOptionName<N, C>
    ? O extends 'expand'
      ? StrictExpand<Target<N>, C, Q[O]>
      : Q[O]
    : NoOption<O>
}

/** Said by the compiler where a name under `expand` is no relation, or none that can be expanded here. */
interface NoRelation<Name> {
  readonly noRelation: Name
}

/** Said by the compiler where a name is no query option, or none of this relation. */
interface NoOption<Name> {
  readonly noOption: Name
}

/** The options of a read of one item or of many, as far as the endpoint has them. */
export type QueryOptions<
  E extends EntityShape,
  C extends CapabilityTypes,
  S,
  X,
  Names extends QueryOptionName = QueryOptionName,
> = Pick<ReadOptions<E, C, S, X>, Extract<C['options'], Names>> & RequestOptions & Prefer<C['prefer']>
