import { type MeHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of me. */
export const me: MeHandlers<Context> = {
  /** GET /me (interface, section 4.1) */
  get: notImplemented,

  /** PATCH /me (interface, section 4.1) */
  update: notImplemented,

  /** POST /me/getMemberGroups: Identifiers of the groups that the user is a member of. (interface, section 4.1) */
  getMemberGroups: notImplemented,

  /**
   * POST /me/checkMemberObjects: Those of the given identifiers that name a group the user is a member of.
   * (interface, section 4.1)
   */
  checkMemberObjects: notImplemented,

  /**
   * GET /me/reminderView(startDateTime={startDateTime},endDateTime={endDateTime}): The reminders that fire from one
   * moment to another. (interface, section 4.1)
   */
  reminderView: notImplemented,

  calendar: {
    /** GET /me/calendar (interface, section 4.1) */
    get: notImplemented,
  },

  manager: {
    /** GET /me/manager (interface, section 4.1) */
    get: notImplemented,
  },

  messages: {
    /** GET /me/messages (interface, section 4.1) */
    list: notImplemented,

    /** POST /me/messages (interface, section 4.1) */
    create: notImplemented,

    /** GET /me/messages/{id} (interface, section 4.1) */
    get: notImplemented,

    /** PATCH /me/messages/{id} (interface, section 4.1) */
    update: notImplemented,

    /** DELETE /me/messages/{id} (interface, section 4.1) */
    delete: notImplemented,
  },

  drive: {
    items: {
      /** GET /me/drive/items (interface, section 4.1) */
      list: notImplemented,
    },
  },
}
