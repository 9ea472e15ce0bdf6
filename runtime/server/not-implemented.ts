import { RequestFault } from './request-fault.js'

/**
 * The handler of an operation that is not written yet: the service answers 501, as to one that has no handler. A
 * handler that is written in part says `call.notImplemented()`.
 */
export function notImplemented(): never {
  throw new RequestFault('notImplemented')
}
