import { type CopiesHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of copies. */
export const copies: CopiesHandlers<Context> = {
  /** GET /copies */
  list: notImplemented,

  /** POST /copies */
  create: notImplemented,

  /** GET /copies(isbn={isbn},number={number}) */
  get: notImplemented,

  /** PUT /copies(isbn={isbn},number={number}) */
  replace: notImplemented,

  /** PATCH /copies(isbn={isbn},number={number}) */
  update: notImplemented,

  /** DELETE /copies(isbn={isbn},number={number}) */
  delete: notImplemented,

  loans: {
    /** GET /copies(isbn={isbn},number={number})/loans */
    list: notImplemented,
  },
}
