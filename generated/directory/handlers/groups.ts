import { type GroupsHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of groups. */
export const groups: GroupsHandlers<Context> = {
  /** GET /groups (interface, section 4.1) */
  list: notImplemented,

  /** POST /groups (interface, section 4.1) */
  create: notImplemented,

  /** GET /groups/{id} (interface, section 4.1) */
  get: notImplemented,

  /** DELETE /groups/{id} (interface, section 4.1) */
  delete: notImplemented,

  members: {
    /** GET /groups/{id}/members (interface, section 4.1) */
    list: notImplemented,
  },
}
