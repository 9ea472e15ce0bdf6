import type { Fault } from './service-table.js'

/**
 * One of several reasons for an error.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
export interface ErrorDetail {
  readonly code: string
  readonly message: string
  /** What is wrong: the path of a property in the body, the name of a parameter or query option. */
  readonly target?: string
}

/** What goes with an error beside its name. */
export interface FailureDetails {
  /** What is wrong: a property, a parameter, a query option. */
  readonly target?: string
  readonly details?: readonly ErrorDetail[]
  /** Replaces the declared message altogether. */
  readonly message?: string
  /** Response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Fills the `{placeholders}` of the declared message; the keys of the path are filled by themselves. */
  readonly values?: Readonly<Record<string, string | number | boolean>>
}

/** What `fail` throws: an error that the operation declares, on its way to becoming the response. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** Name of an error of the service. */
  readonly error: string
  readonly given: FailureDetails

  constructor(error: string, given: FailureDetails = {}) {
    super(`The handler failed with ${error}.`)
    this.error = error
    this.given = given
  }
}

/** What the core says about a request that it refuses; `values.reason` tells what is wrong, in a sentence. */
export interface FaultDetails extends FailureDetails {
  /** All reasons when there may be several; they become `details`, under the code of the error. */
  readonly reasons?: readonly { readonly target: string; readonly message: string }[]
}

/** A request that the core itself refuses, on its way to becoming the response. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly fault: Fault
  readonly given: FaultDetails

  /** @param cause what `onError` is told of, where a fault is no caller's */
  constructor(fault: Fault, given: FaultDetails = {}, cause?: unknown) {
    super(`The request was refused: ${fault}.`, { cause })
    this.fault = fault
    this.given = given
  }
}
