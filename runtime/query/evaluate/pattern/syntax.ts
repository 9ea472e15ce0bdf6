/** A pattern, taken apart. Where in a text an `assertion` holds and which character an `atom` is, its source says. */
export type PatternNode =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number }
