/**
 * One type of the service as the compiler sees it: what an item holds, what names it, and what it is related to.
 * Generated code declares one for each entity type; it exists in types only.
 *
 * @see OData CSDL 4.01, 6 (entity type)
 */
export interface EntityShape {
  /** The structural properties, as the service sends them. */
  readonly properties: object
  /** Names of the key properties; `never` for a type without a key. */
  readonly key: string
  /** Relation -> {@link ToOne} or {@link ToMany}. */
  readonly navigation: object
}

/** A relation to at most one item; `Nullable` says whether it may lead nowhere. */
export interface ToOne<E extends EntityShape, Nullable extends boolean = false> {
  readonly one: E
  readonly nullable: Nullable
}

/** A relation to any number of items. */
export interface ToMany<E extends EntityShape> {
  readonly many: E
}

/** The shape that a relation leads to. */
export type Target<N> = N extends { readonly many: infer E extends EntityShape }
  ? E
  : N extends { readonly one: infer E extends EntityShape }
    ? E
    : never

/**
 * One item as the service answers it to a query: only what was selected, only what was expanded, at every depth. `S` is
 * what `select` was given, `X` what `expand` was given.
 */
export type Row<E extends EntityShape, S, X> = Flat<Selected<E['properties'], S> & Expanded<E['navigation'], X>>

type Selected<P, S> = S extends readonly unknown[]
  ? (number extends S['length'] ? Partial<Pick<P, S[number] & keyof P>> : Required<Pick<P, S[number] & keyof P>>) &
      Pick<P, keyof P & `@${string}`>
  : P

type Expanded<N, X> = [keyof X] extends [never]
  ? unknown
  : { readonly [K in ToManyName<N, X> | ToOneName<N, X, false>]: RelatedRows<N[K], OptionsOf<X, K>> } & {
      /** Services differ on whether a relation that leads nowhere is null or absent. */
      readonly [K in ToOneName<N, X, true>]?: RelatedRows<N[K], OptionsOf<X, K>> | null
    } & { readonly [K in ToManyName<N, X> as `${K & string}@odata.nextLink`]?: string }

type OptionsOf<X, K> = K extends keyof X ? X[K] : never
type ToManyName<N, X> = { [K in keyof N & keyof X]: N[K] extends ToMany<EntityShape> ? K : never }[keyof N & keyof X]
type ToOneName<N, X, Nullable extends boolean> = {
  [K in keyof N & keyof X]: N[K] extends ToOne<EntityShape, Nullable> ? K : never
}[keyof N & keyof X]

type RelatedRows<N, Q> =
  N extends ToMany<infer E>
    ? readonly Row<E, Option<Q, 'select'>, Option<Q, 'expand'>>[]
    : N extends ToOne<infer E, boolean>
      ? Row<E, Option<Q, 'select'>, Option<Q, 'expand'>>
      : never

type Option<Q, Name extends string> = Q extends { readonly [K in Name]: infer V } ? V : undefined

type Flat<T> = { readonly [K in keyof T]: T[K] }

/** A value that one literal of the query language can hold. */
export type Scalar = string | number | boolean

/** Names of the structural properties of an item: its members without annotations such as `@odata.etag`. */
export type PropertyName<P> = Exclude<keyof P & string, `@${string}`>

/** Geography and geometry values are objects, but no complex types. */
interface Geo {
  readonly type: string
  readonly coordinates: readonly unknown[]
}

/**
 * Paths to the single values of `P` of type `T`, `subject` and `from/emailAddress/address`: through at most two complex
 * properties. A complex property that may be null is a path itself, to be compared with null.
 */
export type PropertyPath<P, T = Scalar, Depth extends readonly unknown[] = [1, 2]> = {
  [K in PropertyName<P>]: NonNullable<P[K]> extends Scalar
    ? NonNullable<P[K]> extends T
      ? K
      : never
    : NonNullable<P[K]> extends readonly unknown[] | Geo
      ? never
      :
          | (null extends P[K] ? (Scalar extends T ? K : never) : never)
          | (Depth extends readonly [unknown, ...infer Rest]
              ? `${K}/${PropertyPath<NonNullable<P[K]>, T, Rest>}`
              : never)
}[PropertyName<P>]

/** Paths to the collections of `P`. */
export type CollectionPath<P, Depth extends readonly unknown[] = [1, 2]> = {
  [K in PropertyName<P>]: NonNullable<P[K]> extends Scalar
    ? never
    : NonNullable<P[K]> extends readonly unknown[]
      ? K
      : Depth extends readonly [unknown, ...infer Rest]
        ? `${K}/${CollectionPath<NonNullable<P[K]>, Rest>}`
        : never
}[PropertyName<P>]

/** What stands at a path of `P`. */
export type ValueAt<P, Path> = Path extends keyof P
  ? P[Path]
  : Path extends `${infer Head}/${infer Rest}`
    ? Head extends keyof P
      ? ValueAt<NonNullable<P[Head]>, Rest>
      : never
    : never

/** One item of the collection at a path; a primitive item is called `$it`. */
export type ItemAt<P, Path> =
  NonNullable<ValueAt<P, Path>> extends readonly (infer Item)[]
    ? [Item] extends [Scalar | null]
      ? { readonly $it: Item }
      : Item
    : never
