import { type ApplyOptions, EvaluationError, matchingItems, type QueryOptions } from '../query/index.js'
import { RequestFault } from './errors.js'
import type { ListResult } from './handler.js'

/** The members of a collection handler's call that select the page. */
export interface PageRequest {
  readonly query: QueryOptions
  readonly pageSize?: number | undefined
  readonly limit?: number | undefined
}

/**
 * Returns a page of an array: applies search, filter, order and paging, and counts the matches. It visits every row for
 * each request, so use it for examples, tests and small collections. The rows must contain the navigation properties
 * that the query expands.
 *
 * @see OData Protocol 4.01, 11.2.1
 */
export function listRows<Row>(
  rows: readonly Row[],
  { query, pageSize, limit }: PageRequest,
  options: ApplyOptions = {},
): ListResult<Row> {
  const ordered = matchingRows(rows, query, options)
  const { start, end } = rangeOf(query, limit, ordered.length)
  const pageEnd = pageSize === undefined ? end : Math.min(end, start + pageSize)
  return {
    value: ordered.slice(start, pageEnd),
    count: ordered.length,
    ...(pageEnd < end && pageEnd > start ? { skipToken: `${pageEnd}-${end}` } : {}),
  }
}

/** The rows that match search and filter, in order. A filter that can't be evaluated on an array is unsupported. */
function matchingRows<Row>(rows: readonly Row[], query: QueryOptions, options: ApplyOptions): readonly Row[] {
  try {
    return matchingItems(rows, query, options)
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    throw new RequestFault('unsupportedQueryOption', { values: { option: '$filter', reason: error.message } })
  }
}

/** The range of rows that this page and the following ones contain. The skip token holds the range. */
function rangeOf(query: QueryOptions, limit: number | undefined, length: number): { start: number; end: number } {
  if (query.skiptoken === undefined) {
    const start = Math.min(query.skip ?? 0, length)
    return { start, end: limit === undefined ? length : Math.min(length, start + limit) }
  }
  const [, start, end] = /^(\d{1,15})-(\d{1,15})$/.exec(query.skiptoken) ?? []
  if (start === undefined || end === undefined) {
    throw new RequestFault('malformedQueryOption', {
      target: '$skiptoken',
      values: { option: '$skiptoken', reason: '$skiptoken does not come from a link of this service.' },
    })
  }
  return { start: Math.min(Number(start), length), end: Math.min(Number(end), length) }
}
