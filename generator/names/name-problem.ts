/** Two elements of the spec that want one name in generated code, or one that cannot have any. */
export interface NameProblem {
  readonly code: 'names/clash' | 'names/unnameable'
  readonly message: string
  /** JSON Pointer of the element. */
  readonly at: string
  readonly related?: { readonly message: string; readonly at: string }
}
