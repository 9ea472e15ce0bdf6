/**
 * An item as handlers return it: at least what the query selects, at every depth. What is not selected may be there and
 * is not sent.
 */
export type Row<Type> = { readonly [Name in keyof Type]?: Part<Type[Name]> | undefined } & {
  /** Qualified name of a derived type, `#directory.group`, where items of several types mix. */
  readonly '@odata.type'?: string | undefined
  /** Entity tag in its written form, `W/"1"` or `"1"`. */
  readonly '@odata.etag'?: string | undefined
}

/** A complex value of which a part may be selected. */
type Part<Value> = Value extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Part<Value[Name]> | undefined }
    : Value
