import type { CopiesHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of copies. */
export const copies: CopiesHandlers<Context> = {
  /** GET /copies */
  list(call) {
    return call.notImplemented()
  },

  /** POST /copies */
  create(call) {
    return call.notImplemented()
  },

  /** GET /copies(isbn={isbn},number={number}) */
  get(call) {
    return call.notImplemented()
  },

  /** PUT /copies(isbn={isbn},number={number}) */
  replace(call) {
    return call.notImplemented()
  },

  /** PATCH /copies(isbn={isbn},number={number}) */
  update(call) {
    return call.notImplemented()
  },

  /** DELETE /copies(isbn={isbn},number={number}) */
  delete(call) {
    return call.notImplemented()
  },

  loans: {
    /** GET /copies(isbn={isbn},number={number})/loans */
    list(call) {
      return call.notImplemented()
    },
  },
}
