import { RequestFault } from '../../runtime/server/index.js'

/** Refuses what a query may say but this store cannot answer. */
export function unsupportedQuery(option: string, reason: string): RequestFault {
  return new RequestFault('unsupportedQueryOption', { target: option, values: { option, reason } })
}

/** Refuses a query that says what no value can be. */
export function malformedQuery(option: string, reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', { target: option, values: { option, reason } })
}
