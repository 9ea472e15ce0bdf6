/** Keeps what a run created, so that it can be removed when the run cannot do so itself. Entries are on disk when it returns. */
export interface Journal {
  /** An item is about to be created: `path` of the create endpoint, and the mark that its text carries. */
  readonly creating: (entry: { readonly number: number; readonly path: string; readonly mark: string }) => void
  /** It was created, at this address below the root. */
  readonly created: (entry: { readonly number: number; readonly path: string }) => void
  /** It is gone, or was never made. */
  readonly gone: (entry: { readonly number: number }) => void
}
