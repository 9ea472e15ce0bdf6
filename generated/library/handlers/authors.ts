import type { AuthorsHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of authors. */
export const authors: AuthorsHandlers<Context> = {
  /** GET /authors */
  list(call) {
    return call.notImplemented()
  },

  /** POST /authors */
  create(call) {
    return call.notImplemented()
  },

  /** GET /authors/{id} */
  get(call) {
    return call.notImplemented()
  },

  /** PATCH /authors/{id} */
  update(call) {
    return call.notImplemented()
  },

  books: {
    /** GET /authors/{id}/books */
    list(call) {
      return call.notImplemented()
    },
  },
}
