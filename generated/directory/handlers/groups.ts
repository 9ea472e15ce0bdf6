import type { GroupsHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of groups. */
export const groups: GroupsHandlers<Context> = {
  /** GET /groups (4.1) */
  list(call) {
    return call.notImplemented()
  },

  /** POST /groups (4.1) */
  create(call) {
    return call.notImplemented()
  },

  /** GET /groups/{id} (4.1) */
  get(call) {
    return call.notImplemented()
  },

  /** DELETE /groups/{id} (4.1) */
  delete(call) {
    return call.notImplemented()
  },

  members: {
    /** GET /groups/{id}/members (4.1) */
    list(call) {
      return call.notImplemented()
    },
  },
}
