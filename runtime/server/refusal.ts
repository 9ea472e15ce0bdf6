import { Failure } from './failure.js'
import type { Outgoing } from './outgoing.js'
import { RequestFault } from './request-fault.js'
import { errorResponse } from './response/error-response.js'
import type { ServiceTable } from './service-table.js'

/**
 * The response to whatever stopped a request. What nobody declared is an internal error: its message and stack go to
 * `onUnexpected`, never to the caller; so does the cause of a fault that has one.
 */
export function refusal(
  error: unknown,
  table: ServiceTable,
  headers: Readonly<Record<string, string>>,
  onUnexpected: (error: unknown) => void,
): Outgoing {
  if (error instanceof RequestFault) {
    if (error.cause !== undefined) reportUnexpected(error.cause, onUnexpected)
    return errorResponse(table.faults[error.fault], error.given, headers)
  }
  const declared =
    error instanceof Failure && Object.hasOwn(table.errors, error.error) ? table.errors[error.error] : undefined
  if (error instanceof Failure && declared !== undefined) return errorResponse(declared, error.given, headers)
  reportUnexpected(error, onUnexpected)
  return errorResponse(table.faults.internalError, {}, headers)
}

/** A hook that fails in its turn must not take the response with it. */
function reportUnexpected(error: unknown, onUnexpected: (error: unknown) => void): void {
  try {
    onUnexpected(error)
  } catch {
    return
  }
}
