import { type LoansHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of loans. */
export const loans: LoansHandlers<Context> = {
  /** GET /loans */
  list: notImplemented,

  /** POST /loans */
  create: notImplemented,

  /** GET /loans/{id} */
  get: notImplemented,

  /** PATCH /loans/{id} */
  update: notImplemented,

  /** POST /loans/{id}/renew */
  renew: notImplemented,
}
