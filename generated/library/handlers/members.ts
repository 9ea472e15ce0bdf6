import { type MembersHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of members. */
export const members: MembersHandlers<Context> = {
  /** GET /members */
  list: notImplemented,

  /** POST /members */
  create: notImplemented,

  /** GET /members/{id} */
  get: notImplemented,

  /** PATCH /members/{id} */
  update: notImplemented,

  /** DELETE /members/{id} */
  delete: notImplemented,

  /**
   * GET /members/{id}/loansBetween(from={from},to={to}): What the member borrowed from one day to another, the latest
   * first.
   */
  loansBetween: notImplemented,

  /** POST /members/{id}/favouritesAmong: Those of the given books that are favourites of the member. */
  favouritesAmong: notImplemented,

  loans: {
    /** GET /members/{id}/loans */
    list: notImplemented,
  },

  favourites: {
    /** GET /members/{id}/favourites */
    list: notImplemented,
  },

  /** GET /members(cardNumber={cardNumber}) */
  getByCardNumber: notImplemented,

  /** PATCH /members(cardNumber={cardNumber}) */
  updateByCardNumber: notImplemented,
}
