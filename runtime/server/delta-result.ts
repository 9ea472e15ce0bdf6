/** One page of changes: with `skipToken` more is to come, with `deltaToken` the round is complete. */
export interface DeltaResult<Row> {
  readonly value: readonly (Row & Removable)[]
  /** Comes back as `query.skiptoken`. */
  readonly skipToken?: string | undefined
  /** Comes back as `query.deltatoken`, to ask for what changed since. */
  readonly deltaToken?: string | undefined
}

/**
 * Marks an item that is no longer in the collection; beside its key nothing else of it is sent.
 *
 * @see OData JSON Format 4.01, 15.3 (deleted entity)
 */
export interface Removable {
  /** `deleted`: for good; `changed`: it may come back. */
  readonly '@removed'?: { readonly reason: 'changed' | 'deleted' } | undefined
}
