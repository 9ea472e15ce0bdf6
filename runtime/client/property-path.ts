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
