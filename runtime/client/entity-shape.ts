/**
 * An entity type of the service as a TypeScript type: its properties, its key and its navigation properties. Generated
 * code declares one for each entity type. It has no value at run time.
 *
 * @see OData CSDL 4.01, 6 (entity type)
 */
export interface EntityShape {
  readonly properties: object
  /** Names of the key properties. `never`: the type has no key. */
  readonly key: string
  /** Navigation property -> {@link ToOne} or {@link ToMany}. */
  readonly navigation: object
}

/** A single-valued navigation property. `Nullable`: there can be no related item. */
export interface ToOne<E extends EntityShape, Nullable extends boolean = false> {
  readonly one: E
  readonly nullable: Nullable
}

/** A collection-valued navigation property. */
export interface ToMany<E extends EntityShape> {
  readonly many: E
}

/** The type of the related items. */
export type Target<N> = N extends { readonly many: infer E extends EntityShape }
  ? E
  : N extends { readonly one: infer E extends EntityShape }
    ? E
    : never

/**
 * An item that a query returns, with the selected and expanded properties at every depth. `S` is the type of the
 * argument `select`, `X` the type of `expand`.
 */
export type Row<E extends EntityShape, S, X> = Flat<Selected<E['properties'], S> & Expanded<E['navigation'], X>>

type Selected<P, S> = S extends readonly unknown[]
  ? (number extends S['length']
      ? '*' extends S[number]
        ? Partial<P>
        : Partial<Pick<P, S[number] & keyof P>>
      : ('*' extends S[number] ? P : unknown) & Required<Pick<P, S[number] & keyof P>>) &
      Pick<P, keyof P & `@${string}`>
  : P

type Expanded<N, X> = [keyof X] extends [never]
  ? unknown
  : { readonly [K in ToManyName<N, X> | ToOneName<N, X, false>]: RelatedRows<N[K], OptionsOf<X, K>, K> } & {
      /** If there is no related item, some services return null and others omit the property. */
      readonly [K in ToOneName<N, X, true>]?: RelatedRows<N[K], OptionsOf<X, K>, K> | null
    } & { readonly [K in ToManyName<N, X> as `${K & string}@odata.nextLink`]?: string } & ('*' extends keyof X
        ? Others<Omit<N, keyof X>>
        : unknown)

/** The relations that `*` can stand for: those that the endpoint expands. */
type Others<N> = { readonly [K in keyof N]?: RelatedRows<N[K], true, K> | null } & {
  readonly [K in keyof N as N[K] extends ToMany<EntityShape> ? `${K & string}@odata.nextLink` : never]?: string
}

type OptionsOf<X, K> = K extends keyof X ? X[K] : never
type ToManyName<N, X> = { [K in keyof N & keyof X]: N[K] extends ToMany<EntityShape> ? K : never }[keyof N & keyof X]
type ToOneName<N, X, Nullable extends boolean> = {
  [K in keyof N & keyof X]: N[K] extends ToOne<EntityShape, Nullable> ? K : never
}[keyof N & keyof X]

type RelatedRows<N, Q, K> =
  N extends ToMany<infer E>
    ? readonly RelatedRow<E, N, Q, K>[]
    : N extends ToOne<infer E, boolean>
      ? RelatedRow<E, N, Q, K>
      : never

/** With `levels`, related items can have the same navigation property again. */
type RelatedRow<E extends EntityShape, N, Q, K> = Q extends { readonly levels: number | 'max' }
  ? QueriedRow<E, Q> & { readonly [P in K & keyof E['navigation']]?: RelatedRows<N, Q, K> | null }
  : QueriedRow<E, Q>

type QueriedRow<E extends EntityShape, Q> = Q extends { readonly compute: infer Computed }
  ? Row<WithComputed<E, Computed>, Option<Q, 'select'>, Option<Q, 'expand'>>
  : E extends BaseShape
    ? AnyRow<E, Option<Q, 'select'>, Option<Q, 'expand'>>
    : Row<E, Option<Q, 'select'>, Option<Q, 'expand'>>

type Option<Q, Name extends string> = Q extends { readonly [K in Name]: infer V } ? V : undefined

/** The shape with the properties that `compute` adds. `K` is the type of its argument. Any of them can be null. */
export interface WithComputed<E extends EntityShape, K> extends EntityShape {
  readonly properties: E['properties'] & { readonly [Name in keyof K]: ComputedValue<K[Name]> }
  readonly key: E['key']
  readonly navigation: E['navigation']
}

type ComputedValue<Expression> = Expression extends (...args: never[]) => { readonly evaluatesTo?: infer T }
  ? [T] extends [never]
    ? unknown
    : Exclude<T, undefined> | null
  : never

type Flat<T> = { readonly [K in keyof T]: T[K] }

/** The shape of a type from which others derive. Only its operations know them, so that other types cost the compiler nothing. */
export interface BaseShape extends EntityShape {
  /** Qualified name -> the shape of a derived type. */
  readonly derived: object
  /** The qualified name of the type itself. `never`: it is abstract. */
  readonly typeName: unknown
}

/**
 * The shape with the properties and navigation properties of the derived types behind casts, `zoo.dog/breed`.
 *
 * @see OData 4.01 URL Conventions, 4.11 (type cast)
 */
export interface WithCasts<E extends BaseShape> extends EntityShape {
  readonly properties: E['properties'] & CastMembers<E, 'properties'>
  readonly key: E['key']
  readonly navigation: E['navigation'] & CastMembers<E, 'navigation'>
}

type CastMembers<E extends BaseShape, M extends keyof EntityShape> = {
  readonly [Path in CastPath<
    E['derived'],
    M,
    keyof E[M] | `${string}@${string}`
  >]: Path extends `${infer Name}/${infer Rest}` ? Member<Member<Member<E['derived'], Name>, M>, Rest> : never
}

type CastPath<D, M, Own> = {
  [Name in keyof D & string]: `${Name}/${Exclude<keyof Member<D[Name], M> & string, Own>}`
}[keyof D & string]

type Member<T, Name> = Name extends keyof T ? T[Name] : never

/** The shape for the query options of related items. */
export type Queryable<E extends EntityShape> = E extends BaseShape ? WithCasts<E> : E

/**
 * An item of a base type that a query returns: one of several types, which `@odata.type` distinguishes. Casts in `select` and
 * `expand` apply to the items of their type.
 */
export type AnyRow<E extends BaseShape, S, X> =
  | ([E['typeName']] extends [never]
      ? never
      : Flat<
          Selected<E['properties'], S> &
            Expanded<E['navigation'], X> & { readonly '@odata.type'?: `#${E['typeName'] & string}` }
        >)
  | DerivedRow<E['derived'], S, X>

type DerivedRow<D, S, X> = {
  [Name in keyof D & string]: Flat<
    Selected<Member<D[Name], 'properties'>, UncastNames<S, TypesOf<D, Name>>> &
      Expanded<Member<D[Name], 'navigation'>, { [K in keyof X as Uncast<K, TypesOf<D, Name>>]: X[K] }> & {
        readonly '@odata.type': `#${Name}`
      }
  >
}[keyof D & string]

/** The types that an item of a derived type has: casts to them apply to it. */
type TypesOf<D, Name extends keyof D> =
  | Name
  | { [Other in keyof D]: Name extends keyof Member<D[Other], 'derived'> ? Other : never }[keyof D]

/** A path without a cast to one of the types. */
type Uncast<Path, Types> = Path extends `${Types & string}/${infer Rest}` ? Rest : Path

/** The names in the argument `select` without casts. A list that is built at run time stays one. */
type UncastNames<S, Types> = S extends readonly unknown[]
  ? number extends S['length']
    ? readonly Uncast<S[number], Types>[]
    : readonly [Uncast<S[number], Types>]
  : S

/** A value that a literal of the query language can represent. */
export type Scalar = string | number | boolean | bigint

/** The names of structural properties, without annotations such as `@odata.etag`. */
export type PropertyName<P> = Exclude<keyof P & string, `${string}@${string}`>

/** Geography and geometry values are objects, but not complex types. */
interface Geo {
  readonly type: string
  readonly coordinates: readonly unknown[]
}

/**
 * Paths to single values of type `T` in `P`, such as `subject` and `from/emailAddress/address`. A path goes through at
 * most two complex properties. A nullable complex property is a path itself: it can be compared with null.
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

/** Paths to the collections in `P`. */
export type CollectionPath<P, Depth extends readonly unknown[] = [1, 2]> = {
  [K in PropertyName<P>]: NonNullable<P[K]> extends Scalar
    ? never
    : NonNullable<P[K]> extends readonly unknown[]
      ? K
      : Depth extends readonly [unknown, ...infer Rest]
        ? `${K}/${CollectionPath<NonNullable<P[K]>, Rest>}`
        : never
}[PropertyName<P>]

/** The type of the value at a path of `P`. */
export type ValueAt<P, Path> = Path extends keyof P
  ? P[Path]
  : Path extends `${infer Head}/${infer Rest}`
    ? Head extends keyof P
      ? ValueAt<NonNullable<P[Head]>, Rest>
      : never
    : never

/** The type of an item of the collection at a path. The path of a primitive item is `$it`. */
export type ItemAt<P, Path> =
  NonNullable<ValueAt<P, Path>> extends readonly (infer Item)[]
    ? [Item] extends [Scalar | null]
      ? { readonly $it: Item }
      : Item
    : never
