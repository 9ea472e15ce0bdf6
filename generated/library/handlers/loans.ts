import type { LoansHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of loans. */
export const loans: LoansHandlers<Context> = {
  /** GET /loans */
  list(call) {
    return call.notImplemented()
  },

  /** POST /loans */
  create(call) {
    return call.notImplemented()
  },

  /** GET /loans/{id} */
  get(call) {
    return call.notImplemented()
  },

  /** PATCH /loans/{id} */
  update(call) {
    return call.notImplemented()
  },

  /** POST /loans/{id}/renew */
  renew(call) {
    return call.notImplemented()
  },
}
