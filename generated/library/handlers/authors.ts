import { type AuthorsHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of authors. */
export const authors: AuthorsHandlers<Context> = {
  /** GET /authors */
  list: notImplemented,

  /** POST /authors */
  create: notImplemented,

  /** GET /authors/{id} */
  get: notImplemented,

  /** PATCH /authors/{id} */
  update: notImplemented,

  books: {
    /** GET /authors/{id}/books */
    list: notImplemented,
  },
}
