/**
 * An item as handlers return it: at least what the query selects. What is not selected may be there and is not sent.
 */
export type Row<Type> = { readonly [Name in keyof Type]?: Type[Name] | undefined } & {
  /** Qualified name of a derived type, `#directory.group`, where items of several types mix. */
  readonly '@odata.type'?: string | undefined
  /** Entity tag in its written form, `W/"1"` or `"1"`. */
  readonly '@odata.etag'?: string | undefined
}
