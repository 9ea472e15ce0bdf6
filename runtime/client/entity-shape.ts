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
