import type { MeHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of me. */
export const me: MeHandlers<Context> = {
  /** GET /me (4.1) */
  get(call) {
    return call.notImplemented()
  },

  /** PATCH /me (4.1) */
  update(call) {
    return call.notImplemented()
  },

  /** POST /me/getMemberGroups: Identifiers of the groups that the user is a member of. (4.1) */
  getMemberGroups(call) {
    return call.notImplemented()
  },

  /** POST /me/checkMemberObjects: Those of the given identifiers that name a group the user is a member of. (4.1) */
  checkMemberObjects(call) {
    return call.notImplemented()
  },

  /**
   * GET /me/reminderView(startDateTime={startDateTime},endDateTime={endDateTime}): The reminders that fire from one
   * moment to another. (4.1)
   */
  reminderView(call) {
    return call.notImplemented()
  },

  calendar: {
    /** GET /me/calendar (4.1) */
    get(call) {
      return call.notImplemented()
    },
  },

  manager: {
    /** GET /me/manager (4.1) */
    get(call) {
      return call.notImplemented()
    },
  },

  messages: {
    /** GET /me/messages (4.1) */
    list(call) {
      return call.notImplemented()
    },

    /** POST /me/messages (4.1) */
    create(call) {
      return call.notImplemented()
    },

    /** GET /me/messages/{id} (4.1) */
    get(call) {
      return call.notImplemented()
    },

    /** PATCH /me/messages/{id} (4.1) */
    update(call) {
      return call.notImplemented()
    },

    /** DELETE /me/messages/{id} (4.1) */
    delete(call) {
      return call.notImplemented()
    },
  },

  drive: {
    items: {
      /** GET /me/drive/items (4.1) */
      list(call) {
        return call.notImplemented()
      },
    },
  },
}
