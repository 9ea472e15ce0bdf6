import {
  type AnyExpressionBuilder,
  computeText,
  expressionBuilder,
  type UntypedOperation,
  withComputeTexts,
  withOptions,
} from './compute.js'
import type { Connection } from './connection.js'
import type { EntityShape, PropertyPath, ToOne, ValueAt } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import type { Expression, Filter, OfferedFilterBuilder } from './filter.js'
import { type Paged, pagedOperation } from './paging.js'
import type { LiteralFormats, PathTemplate } from './path.js'
import type {
  CapabilityTypes,
  ExpressionBuilder,
  FilterProperties,
  Prefer,
  Preferences,
  RequestOptions,
  RequiredHeaders,
  Supported,
} from './query-options.js'

/**
 * Transforms the items of a list, and lists the resulting rows.
 *
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export type AggregatingListOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> = <R>(...args: [...keys: Keys, query: ApplyOptions<E, C, R>]) => Paged<R, ServiceError<Code>>

interface ApplyOptions<E extends EntityShape, C extends CapabilityTypes, R>
  extends RequestOptions,
    Prefer<Preferences<C>> {
  /** Builds the transformations, from the first to the last: `a => a.groupBy(['genre'], { books: a.count() })`. */
  readonly apply: (a: Transformations<ApplyProperties<E, C>, E['properties'], C>) => Transformed<R>
  /** Sorts the rows by these properties, in this order. Ascending unless `desc` is given. */
  readonly orderby?: readonly (PropertyPath<R> | `${PropertyPath<R>} ${'asc' | 'desc'}`)[] | undefined
  /** The maximum number of rows. */
  readonly top?: number | undefined
  /** The number of rows to skip. */
  readonly skip?: number | undefined
  /** Returns the number of all rows, regardless of `top` and `skip`. */
  readonly count?: boolean | undefined
}

/** The properties of the items, and of the single items that relations lead to. */
type ApplyProperties<E extends EntityShape, C extends CapabilityTypes> = FilterProperties<E, C> & {
  readonly [N in keyof E['navigation'] as E['navigation'][N] extends ToOne<EntityShape, boolean>
    ? N
    : never]: OneRelated<E['navigation'][N]>
}

type OneRelated<N> =
  N extends ToOne<infer E, infer Nullable> ? E['properties'] | (Nullable extends true ? null : never) : never

/** The text of transformations. `R` is the type of the rows that they result in. */
export interface Transformed<R> {
  readonly text: string
  /** Never set. It makes the compiler distinguish transformations by `R`. */
  readonly rows?: R
}

/** The value of a group, and the type that it has. */
interface Aggregate<T> {
  readonly text: string
  /** Never set. It makes the compiler distinguish aggregates by `T`. */
  readonly aggregatesTo?: T
}

type Aggregates = Readonly<Record<string, Aggregate<unknown>>>
type Aggregated<A> = { readonly [Name in keyof A]: A[Name] extends Aggregate<infer T> ? T : never }

/** Properties to group by on several levels. */
interface Rollup<Path> {
  readonly text: string
  /** Never set. */
  readonly levels?: Path
}

type Groupable<P, C extends CapabilityTypes> = Extract<PropertyPath<P>, Supported<C, 'groupable'>>
type Aggregatable<P, C extends CapabilityTypes, T = string | number | boolean> = Extract<
  PropertyPath<P, T>,
  Supported<C, 'aggregatable'>
>
type GroupingPaths<By extends readonly unknown[]> = Extract<By[number], string>
type RollupPaths<By extends readonly unknown[]> = By[number] extends infer Item
  ? Item extends Rollup<infer Path>
    ? Path & string
    : never
  : never

/** The properties of groups: those of rollups are absent in the rows of their upper levels. */
type Group<P, By extends readonly unknown[]> = FlatRow<
  GroupedBy<P, GroupingPaths<By>> & Partial<GroupedBy<P, RollupPaths<By>>>
>

/** `Null`: null, if a relation on the way can have no target. */
type GroupedBy<P, Path, Null = never> = {
  readonly [Name in HeadOf<Path> & keyof P]: Name extends Path
    ? P[Name] | Null
    : GroupedBy<NonNullable<P[Name]>, RestOf<Path, Name>, Null | Extract<P[Name], null>> | Extract<P[Name], null>
}
type HeadOf<Path> = Path extends `${infer Head}/${string}` ? Head : Path
type RestOf<Path, Head> = Path extends `${Head & string}/${infer Rest}` ? Rest : never
type FlatRow<T> = { readonly [K in keyof T]: T[K] }

type Extended<T, Compute> = T & {
  readonly [Name in keyof Compute]: Compute[Name] extends (...args: never[]) => Expression<infer V>
    ? [V] extends [never]
      ? unknown
      : V | null
    : never
}

/**
 * Transformations of items or rows with the properties `P`, which result in rows of the type `R`. An endpoint supports
 * the members that its capabilities name.
 */
interface TransformationBuilder<P, R, C extends CapabilityTypes> {
  /** Keeps the rows for which the filter is true. */
  filter(predicate: (f: OfferedFilterBuilder<P, Supported<C, 'filter'> & string>) => Filter): Transformations<P, R, C>
  /** Adds properties: name -> expression. */
  compute<const K extends Readonly<Record<string, (f: ExpressionBuilder<P, C>) => Expression<unknown>>>>(
    properties: K,
  ): Transformations<Extended<P, K>, FlatRow<Extended<R, K>>, C>
  /** Makes one row of all: name -> aggregate. */
  aggregate<const A extends Aggregates>(aggregates: A): Transformations<Aggregated<A>, Aggregated<A>, C>
  /**
   * Makes one row for each group of equal values, with these values and with aggregates: name -> aggregate. Instead of
   * aggregates, it takes transformations of each group.
   */
  groupBy<const By extends readonly (Groupable<P, C> | Rollup<Groupable<P, C>>)[]>(
    by: By,
  ): Transformations<Group<P, By>, Group<P, By>, C>
  groupBy<const By extends readonly (Groupable<P, C> | Rollup<Groupable<P, C>>)[], const A extends Aggregates>(
    by: By,
    aggregates: A,
  ): Transformations<FlatRow<Group<P, By> & Aggregated<A>>, FlatRow<Group<P, By> & Aggregated<A>>, C>
  groupBy<const By extends readonly (Groupable<P, C> | Rollup<Groupable<P, C>>)[], Q>(
    by: By,
    transformations: (a: Transformations<P, R, C>) => Transformed<Q>,
  ): Transformations<FlatRow<Group<P, By> & Q>, FlatRow<Group<P, By> & Q>, C>
  /** The rows of both, one after the other. */
  concat<A, B>(
    first: (a: Transformations<P, R, C>) => Transformed<A>,
    second: (a: Transformations<P, R, C>) => Transformed<B>,
  ): Transformations<A | B, A | B, C>
  /** Sorts the rows. Ascending unless `desc` is given. */
  orderby(...by: readonly (PropertyPath<P> | `${PropertyPath<P>} ${'asc' | 'desc'}`)[]): Transformations<P, R, C>
  /** Keeps the first rows. */
  top(count: number): Transformations<P, R, C>
  /** Leaves out the first rows. */
  skip(count: number): Transformations<P, R, C>
  /** Keeps the `count` rows with the largest values. */
  topCount(count: number, path: PropertyPath<P>): Transformations<P, R, C>
  /** Keeps the rows with the largest values, until their sum reaches `sum`. */
  topSum(sum: number, path: PropertyPath<P, Supported<C, 'numbers'>>): Transformations<P, R, C>
  /** Keeps the rows with the largest values, until their sum reaches this part of the sum of all. */
  topPercent(percent: number, path: PropertyPath<P, Supported<C, 'numbers'>>): Transformations<P, R, C>
  /** Keeps the `count` rows with the smallest values. */
  bottomCount(count: number, path: PropertyPath<P>): Transformations<P, R, C>
  /** Keeps the rows with the smallest values, until their sum reaches `sum`. */
  bottomSum(sum: number, path: PropertyPath<P, Supported<C, 'numbers'>>): Transformations<P, R, C>
  /** Keeps the rows with the smallest values, until their sum reaches this part of the sum of all. */
  bottomPercent(percent: number, path: PropertyPath<P, Supported<C, 'numbers'>>): Transformations<P, R, C>
  /** Levels of groups for `groupBy`: by all properties, by all but the last, and so on. `total`: and one of all items. */
  rollup<const L extends readonly Groupable<P, C>[]>(
    levels: L,
    options?: { readonly total?: boolean },
  ): Rollup<L[number]>
}

/** The aggregates of a group. Null: the group has no values. */
interface AggregateBuilder<P, C extends CapabilityTypes> {
  /** The number of items. */
  count(): Aggregate<Supported<C, 'numbers'>>
  /** The number of different values. */
  countDistinct(path: Aggregatable<P, C>): Aggregate<Supported<C, 'numbers'>>
  sum(path: Aggregatable<P, C, Supported<C, 'numbers'>>): Aggregate<Supported<C, 'numbers'> | null>
  average(path: Aggregatable<P, C, Supported<C, 'numbers'>>): Aggregate<Supported<C, 'numbers'> | null>
  min<L extends Aggregatable<P, C>>(path: L): Aggregate<ValueAt<P, L> | null>
  max<L extends Aggregatable<P, C>>(path: L): Aggregate<ValueAt<P, L> | null>
}

/** The transformations that an endpoint supports, and aggregates. */
export type Transformations<P, R, C extends CapabilityTypes> = Transformed<R> &
  AggregateBuilder<P, C> &
  Pick<TransformationBuilder<P, R, C>, Extract<keyof TransformationBuilder<P, R, C>, Supported<C, 'transformations'>>>

/** Creates the operation that lists the items at a path, and what transformations make of them. */
export const aggregatingList = (
  connection: Connection,
  path: PathTemplate,
  formats?: LiteralFormats,
  conditions?: RequiredHeaders,
): UntypedOperation =>
  withOptions(pagedOperation(connection, path, formats, conditions), path, options => {
    const { apply, ...rest }: { readonly apply?: (a: AnyTransformations) => Transformed<unknown> } = options
    return { ...withComputeTexts(rest, formats), ...(apply && { apply: apply(transformations(formats, [])).text }) }
  })

type AnyAggregates = Readonly<Record<string, { readonly text: string }>>

/** The untyped builder of transformations, with the members of `Transformations`. */
interface AnyTransformations {
  readonly text: string
  readonly [member: string]: unknown
}

/** @param steps the transformations before */
const transformations = (formats: LiteralFormats | undefined, steps: readonly string[]): AnyTransformations => {
  const after = (...more: readonly string[]): AnyTransformations => transformations(formats, [...steps, ...more])
  const ranking = (name: string) => (amount: number, path: string) => after(`${name}(${amount},${path})`)
  const method = (name: string) => (path: string) => ({ text: `${path} with ${name}` })
  const inside = (build: (a: AnyTransformations) => Transformed<unknown>): string =>
    build(transformations(formats, [])).text || 'identity'
  return {
    text: steps.join('/'),
    filter: (predicate: (f: AnyExpressionBuilder) => Filter) =>
      after(`filter(${predicate(expressionBuilder(formats)).text})`),
    compute: (properties: Parameters<typeof computeText>[0]) => after(`compute(${computeText(properties, formats)})`),
    aggregate: (aggregates: AnyAggregates) => after(aggregateText(aggregates)),
    groupBy: (
      by: readonly (string | { readonly text: string })[],
      inner?: AnyAggregates | ((a: AnyTransformations) => Transformed<unknown>),
    ) => {
      const paths = by.map(item => (typeof item === 'string' ? item : item.text)).join()
      const text = typeof inner === 'function' ? inside(inner) : inner && aggregateText(inner)
      return after(`groupby((${paths})${text ? `,${text}` : ''})`)
    },
    concat: (...branches: readonly ((a: AnyTransformations) => Transformed<unknown>)[]) =>
      after(`concat(${branches.map(inside).join()})`),
    orderby: (...by: readonly string[]) => after(`orderby(${by.join()})`),
    top: (count: number) => after(`top(${count})`),
    skip: (count: number) => after(`skip(${count})`),
    topCount: ranking('topcount'),
    topSum: ranking('topsum'),
    topPercent: ranking('toppercent'),
    bottomCount: ranking('bottomcount'),
    bottomSum: ranking('bottomsum'),
    bottomPercent: ranking('bottompercent'),
    rollup: (levels: readonly string[], { total = false } = {}) => ({
      text: `rollup(${[...(total ? ['null'] : []), ...levels].join()})`,
    }),
    count: () => ({ text: '$count' }),
    countDistinct: method('countdistinct'),
    sum: method('sum'),
    average: method('average'),
    min: method('min'),
    max: method('max'),
  }
}

/** `aggregate(price with sum as total,$count as n)`; empty without aggregates. */
const aggregateText = (aggregates: AnyAggregates): string => {
  const texts = Object.entries(aggregates).map(([name, { text }]) => `${text} as ${name}`)
  return texts.length === 0 ? '' : `aggregate(${texts.join()})`
}
