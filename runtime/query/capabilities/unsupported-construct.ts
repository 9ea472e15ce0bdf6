/** Something in a query that the grammar and the types allow, but this endpoint does not. */
export interface UnsupportedConstruct {
  /** The query option, with `$`; inside `$expand`, the nested one. */
  readonly option: string
  /** `filter`, `filter.contains`, `search.AND`, `top.max` and so on. */
  readonly construct: string
  /** The property path that it stands on, where that is what decides. */
  readonly property?: string
  /** What is not supported, and what is. */
  readonly message: string
}
