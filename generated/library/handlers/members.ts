import type { MembersHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of members. */
export const members: MembersHandlers<Context> = {
  /** GET /members */
  list(call) {
    return call.notImplemented()
  },

  /** POST /members */
  create(call) {
    return call.notImplemented()
  },

  /** GET /members/{id} */
  get(call) {
    return call.notImplemented()
  },

  /** PATCH /members/{id} */
  update(call) {
    return call.notImplemented()
  },

  /** DELETE /members/{id} */
  delete(call) {
    return call.notImplemented()
  },

  /**
   * GET /members/{id}/loansBetween(from={from},to={to}): What the member borrowed from one day to another, the latest
   * first.
   */
  loansBetween(call) {
    return call.notImplemented()
  },

  /** POST /members/{id}/favouritesAmong: Those of the given books that are favourites of the member. */
  favouritesAmong(call) {
    return call.notImplemented()
  },

  loans: {
    /** GET /members/{id}/loans */
    list(call) {
      return call.notImplemented()
    },
  },

  favourites: {
    /** GET /members/{id}/favourites */
    list(call) {
      return call.notImplemented()
    },
  },
}
