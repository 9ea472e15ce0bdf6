import type { Condition } from '../query/capabilities/capabilities.js'
import { Failure } from './failure.js'
import type { RequestHead } from './request-head.js'

/** Refuses a query that needs a header which the request lacks, with the error that the spec names for it. */
export function requireConditions(conditions: readonly Condition[], { headers }: RequestHead): void {
  for (const { header, otherwise } of conditions) {
    if (headers.get(header.name)?.trim().toLowerCase() === header.value.toLowerCase()) continue
    throw new Failure(otherwise, { values: { header: header.name, value: header.value } })
  }
}
