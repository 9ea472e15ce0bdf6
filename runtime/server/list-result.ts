/**
 * One page of a collection. The core adds `@odata.context`, `@odata.count` and `@odata.nextLink`.
 */
export interface ListResult<Row> {
  readonly value: readonly Row[]
  /** All items that `$filter` and `$search` leave, whatever the page; to be given when `query.count` is true. */
  readonly count?: number | undefined
  /** Where the next page begins, in the handler's own words; comes back as `query.skiptoken`. Absent: the last page. */
  readonly skipToken?: string | undefined
}
