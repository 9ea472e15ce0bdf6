/**
 * One item on its way into an empty store, its values checked against the model. An item comes after the item that it is
 * contained in; the targets of its links may come before it or after it.
 */
export interface DataRecord {
  /** The entity type it is of, unqualified, never an abstract one. */
  readonly type: string
  /** The entity set or singleton that it stands in; absent for a contained item. */
  readonly container?: string
  /** The item that it is contained in, the very object that came before, and through which relation. */
  readonly owner?: { readonly item: DataRecord; readonly navigation: string }
  /**
   * Values by property, in the form that handlers get them in; the key is always there, complex values are objects.
   * A property with a default has it; one that is absent is null, or a stamp that the store sets.
   */
  readonly values: Readonly<Record<string, unknown>>
  /**
   * Relation -> keys of its targets; a single relation has one target at most. A target that is contained is one under
   * the same owner. A link is given at one end; its partner follows from it.
   */
  readonly links: Readonly<Record<string, readonly DataKey[]>>
}

/** Values of the key properties, in the order of the type's key. */
export type DataKey = readonly (string | number | boolean)[]
