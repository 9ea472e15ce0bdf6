import { type ApplyOptions, EvaluationError, matchingItems, type QueryOptions } from '../query/index.js'
import { RequestFault } from './errors.js'
import type { ListResult } from './handler.js'

/** What the call of a collection's handler says of the page it wants. */
export interface PageRequest {
  readonly query: QueryOptions
  readonly pageSize?: number | undefined
  readonly limit?: number | undefined
}

/**
 * Answers a collection from an array: search, filter, count, order, and the page that the call wants. Every row is looked
 * at each time, so it is for examples, tests and small collections. Relations that the query expands must be in the rows.
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

/** The rows that search and filter leave, in order. A filter that no array can answer is told to be unsupported. */
function matchingRows<Row>(rows: readonly Row[], query: QueryOptions, options: ApplyOptions): readonly Row[] {
  try {
    return matchingItems(rows, query, options)
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    throw new RequestFault('unsupportedQueryOption', { values: { option: '$filter', reason: error.message } })
  }
}

/** The part of the rows that all pages together show; a token says where the rest of it is. */
function rangeOf(query: QueryOptions, limit: number | undefined, length: number): { start: number; end: number } {
  if (query.skiptoken === undefined) {
    const start = Math.min(query.skip ?? 0, length)
    return { start, end: limit === undefined ? length : Math.min(length, start + limit) }
  }
  const [, start, end] = /^(\d{1,15})-(\d{1,15})$/.exec(query.skiptoken) ?? []
  if (start === undefined || end === undefined) {
    throw new RequestFault('malformedQueryOption', {
      target: '$skiptoken',
      values: { option: '$skiptoken', reason: '$skiptoken comes from no link of this service.' },
    })
  }
  return { start: Math.min(Number(start), length), end: Math.min(Number(end), length) }
}
