import { notImplemented, type UsersHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of users. */
export const users: UsersHandlers<Context> = {
  /** GET /users (interface, section 4.1) */
  list: notImplemented,

  /** GET /users/{id} (interface, section 4.1) */
  get: notImplemented,

  /** GET /users/$count (interface, section 4.1) */
  count: notImplemented,

  /** GET /users/delta (interface, section 4.1) */
  delta: notImplemented,
}
