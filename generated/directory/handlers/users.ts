import type { UsersHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of users. */
export const users: UsersHandlers<Context> = {
  /** GET /users (4.1) */
  list(call) {
    return call.notImplemented()
  },

  /** GET /users/{id} (4.1) */
  get(call) {
    return call.notImplemented()
  },

  /** GET /users/$count (4.1) */
  count(call) {
    return call.notImplemented()
  },

  /** GET /users/delta (4.1) */
  delta(call) {
    return call.notImplemented()
  },
}
