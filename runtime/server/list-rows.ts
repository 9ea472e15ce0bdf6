import {
  type ApplyOptions,
  EvaluationError,
  type Item,
  matchingItems,
  type QueryOptions,
  type TransformationParts,
  withComputed,
  withExpandedItems,
} from '../query/index.js'
import { RequestFault } from './errors.js'
import type { ListResult } from './handler.js'

/** The members of a collection handler's call that select the page. */
export interface PageRequest {
  readonly query: QueryOptions
  readonly pageSize?: number | undefined
  readonly limit?: number | undefined
}

/**
 * Returns a page of an array: applies the transformations of `$apply`, `$compute`, search, filter, order and paging, and counts the matches. In expanded relations, it
 * applies the nested options. `$search` searches the properties that the spec declares. It visits every row for each
 * request, so use it for examples, tests and small collections. The rows must contain the navigation properties that the
 * query expands.
 *
 * @see OData Protocol 4.01, 11.2.1
 */
export function listRows<Row>(
  items: readonly Row[],
  { query, pageSize, limit }: PageRequest,
  options: ApplyOptions = {},
): ListResult<Row> {
  const given: ApplyOptions = {
    searchProperties: searchedProperties.get(query),
    aliases: query.aliases,
    ...queryFunctions.get(query),
    ...options,
  }
  const { rows, settings } = evaluated(() => transformed(items, query, given))
  const ordered = evaluated(() => matchingItems(withComputed(rows, query, settings), query, settings))
  const { start, end } = rangeOf(query, limit, ordered.length)
  const pageEnd = pageSize === undefined ? end : Math.min(end, start + pageSize)
  return {
    value: evaluated(() => ordered.slice(start, pageEnd).map(row => withExpandedItems(row, query, settings))),
    count: ordered.length,
    ...(pageEnd < end && pageEnd > start ? { skipToken: `${pageEnd}-${end}` } : {}),
  }
}

/** The properties that the endpoint of a query searches. The server core notes them for each query with `$search`. */
const searchedProperties = new WeakMap<QueryOptions, readonly string[]>()

export function noteSearchedProperties(query: QueryOptions, properties: readonly string[]): void {
  searchedProperties.set(query, properties)
}

/** The functions of a service that queries can call, and the handlers of those without a definition. */
export type QueryFunctions = Pick<ApplyOptions, 'functions' | 'handlers'>

/** The functions that queries can call. The server core notes them for each query. */
const queryFunctions = new WeakMap<QueryOptions, QueryFunctions>()

export function noteQueryFunctions(query: QueryOptions, functions: QueryFunctions): void {
  queryFunctions.set(query, functions)
}

/** What evaluates `$apply`. The server core notes it for each query with transformations. */
const evaluators = new WeakMap<QueryOptions, TransformationParts['evaluate']>()

export function noteTransformations(query: QueryOptions, evaluate: TransformationParts['evaluate']): void {
  evaluators.set(query, evaluate)
}

function transformed<Row>(
  items: readonly Row[],
  query: QueryOptions,
  settings: ApplyOptions,
): { readonly rows: readonly Row[]; readonly settings: ApplyOptions } {
  if (query.apply === undefined) return { rows: items, settings }
  const evaluate = evaluators.get(query)
  if (evaluate === undefined || !areItems(items)) {
    const reason = 'The service has no evaluator of `$apply`: pass the part `transformations` to createService.'
    throw new RequestFault('unsupportedQueryOption', { values: { option: '$apply', reason } })
  }
  const { rows, options } = evaluate(items, query.apply, settings)
  return areSent<Row>(rows) ? { rows, settings: options } : { rows: items, settings }
}

function areItems(rows: readonly unknown[]): rows is readonly Item[] {
  return rows.every(row => typeof row === 'object' && row !== null)
}

/** The server core sends the rows of `$apply` as it sends items, and takes their properties from the query. */
function areSent<Row>(rows: readonly unknown[]): rows is readonly Row[] {
  return Array.isArray(rows)
}

/** An expression that can't be evaluated on an array is unsupported. */
function evaluated<Value>(work: () => Value): Value {
  try {
    return work()
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
