import { RequestFault } from '../runtime/server/index.js'

/** The fault for a valid query that this store cannot answer. */
export function unsupportedQuery(option: string, reason: string): RequestFault {
  return new RequestFault('unsupportedQueryOption', { target: option, values: { option, reason } })
}

/** The fault for an invalid query. */
export function malformedQuery(option: string, reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', { target: option, values: { option, reason } })
}
