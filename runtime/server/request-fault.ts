import type { FailureDetails } from './failure.js'
import type { Fault } from './service-table.js'

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
