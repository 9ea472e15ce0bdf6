import type { CanonicalFunctions } from './canonical-functions.js'
import type { CollectionPath, ItemAt, PropertyPath, Scalar, ValueAt } from './property-path.js'

/** An expression of the query language, as text; `T` is what it evaluates to. */
export interface Expression<T> {
  readonly text: string
  /** Never there: it ties `T` to the expression for the compiler. */
  readonly evaluatesTo?: T
}

/** An expression that is true, false or unknown for each item. */
export type Filter = Expression<boolean>

/** A property by its path, or an expression made of one. */
type Operand<P, T = Scalar> = PropertyPath<P, T> | Expression<T>

/** What an operand can be compared with: null only where the property may be null. */
type ComparableWith<P, L> = L extends Expression<infer T> ? T : Extract<ValueAt<P, L>, Scalar | null>

/**
 * Builds a `$filter` over items with the properties `P`. Values are typed by the property they are compared with; dates
 * are ISO 8601 strings. An endpoint offers the members that its capabilities name, and {@link FilterBuilder.raw}.
 *
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export interface FilterBuilder<P, Members extends string> {
  /** `left eq right` */
  eq<L extends Operand<P>>(left: L, right: ComparableWith<P, L>): Filter
  /** `left ne right`; true also for items without a value. */
  ne<L extends Operand<P>>(left: L, right: ComparableWith<P, L>): Filter
  /** `left gt right` */
  gt<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left ge right` */
  ge<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left lt right` */
  lt<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left le right` */
  le<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left in (a,b)` */
  in<L extends Operand<P>>(left: L, values: readonly ComparableWith<P, L>[]): Filter
  /** `left has right`: the flags of `right`, `a,b`, are all set. */
  has<L extends PropertyPath<P, string>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `(a and b)` */
  and(first: Filter, ...more: readonly Filter[]): Filter
  /** `(a or b)` */
  or(first: Filter, ...more: readonly Filter[]): Filter
  /** `not (a)` */
  not(filter: Filter): Filter
  /** `startswith(operand,'text')` */
  startsWith(operand: Operand<P, string>, text: string): Filter
  /** `endswith(operand,'text')` */
  endsWith(operand: Operand<P, string>, text: string): Filter
  /** `contains(operand,'text')` */
  contains(operand: Operand<P, string>, text: string): Filter
  /** `tolower(operand)` */
  tolower(operand: Operand<P, string>): Expression<string>
  /** One of the other functions: `call('year', 'published')` is `year(published)`. */
  call<N extends keyof CanonicalFunctions & Members>(
    name: N,
    operand: Operand<P, CanonicalFunctions[N]['of']>,
    ...more: CanonicalFunctions[N]['with']
  ): Expression<CanonicalFunctions[N]['returns']>
  /** `collection/any(x:predicate)`; without predicate: the collection is not empty. Primitive items are called `$it`. */
  any<L extends CollectionPath<P>>(
    collection: L,
    predicate?: (item: OfferedFilterBuilder<ItemAt<P, L>, Members>) => Filter,
  ): Filter
  /** `collection/all(x:predicate)`; true for an empty collection. */
  all<L extends CollectionPath<P>>(
    collection: L,
    predicate: (item: OfferedFilterBuilder<ItemAt<P, L>, Members>) => Filter,
  ): Filter
  /** An expression in the query language itself. Nothing in it is checked or escaped: never put untrusted text in it. */
  raw(text: string): Expression<never>
}

/** The members of the builder that an endpoint offers. */
export type OfferedFilterBuilder<P, Members extends string> = Pick<
  FilterBuilder<P, Members>,
  Extract<
    keyof FilterBuilder<P, Members>,
    Members | 'raw' | ([Members & keyof CanonicalFunctions] extends [never] ? never : 'call')
  >
>
