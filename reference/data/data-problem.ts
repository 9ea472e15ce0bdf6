/** One thing that is wrong with data, and where. */
export interface DataProblem {
  /** Stable, `data/unknown-target`. */
  readonly code: string
  /** What was found, what was expected. */
  readonly message: string
  /** JSON Pointer into the document; with JSON Lines into one that has all lines. */
  readonly at: string
  readonly on?: 'key'
  readonly suggestion?: string | undefined
  /** Another place that has to do with it. */
  readonly related?: { readonly message: string; readonly at: string }
}
