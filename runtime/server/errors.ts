import type { Fault } from './service-table.js'

/**
 * One of several reasons for an error.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
export interface ErrorDetail {
  readonly code: string
  readonly message: string
  /** The path of a property in the body, or the name of a parameter or query option. */
  readonly target?: string
}

export interface FailureDetails {
  /** The property, parameter or query option that caused the error. */
  readonly target?: string
  readonly details?: readonly ErrorDetail[]
  /** Replaces the declared message. */
  readonly message?: string
  /** Response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Values for the `{placeholders}` of the declared message. The keys of the path are always available. */
  readonly values?: Readonly<Record<string, string | number | boolean>>
}

/** An error that the operation declares. `fail` throws it and the core turns it into the response. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** The name of the error in the spec. */
  readonly error: string
  readonly given: FailureDetails

  constructor(error: string, given: FailureDetails = {}) {
    super(`The handler failed with ${error}.`)
    this.error = error
    this.given = given
  }
}

/** The details of a fault. `values.reason` is a sentence that describes the problem. */
export interface FaultDetails extends FailureDetails {
  /** All reasons, if there can be several. They become `details` with the code of the error. */
  readonly reasons?: readonly { readonly target: string; readonly message: string }[]
}

/** Whether an error is a fault, also one of another copy of this module: a package that handlers call has its own. */
export function isRequestFault(error: unknown): error is RequestFault {
  if (error instanceof RequestFault) return true
  return error instanceof Error && error.name === 'RequestFault' && 'fault' in error && 'given' in error
}

/** A request that the core rejects. The core turns it into the response. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly fault: Fault
  readonly given: FaultDetails

  /** @param cause passed to `onError`, if the service caused the fault */
  constructor(fault: Fault, given: FaultDetails = {}, cause?: unknown) {
    super(`The request was rejected: ${fault}.`, { cause })
    this.fault = fault
    this.given = given
  }
}
