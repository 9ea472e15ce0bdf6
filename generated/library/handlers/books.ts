import type { BooksHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of books. */
export const books: BooksHandlers<Context> = {
  /** GET /books */
  list(call) {
    return call.notImplemented()
  },

  /** POST /books */
  create(call) {
    return call.notImplemented()
  },

  /** GET /books/$count */
  count(call) {
    return call.notImplemented()
  },

  /** GET /books/delta */
  delta(call) {
    return call.notImplemented()
  },

  /** GET /books/mostBorrowed(limit={limit}) */
  mostBorrowed(call) {
    return call.notImplemented()
  },

  /** GET /books/{isbn} */
  get(call) {
    return call.notImplemented()
  },

  /** PUT /books/{isbn} */
  replace(call) {
    return call.notImplemented()
  },

  /** PATCH /books/{isbn} */
  update(call) {
    return call.notImplemented()
  },

  /** DELETE /books/{isbn} */
  delete(call) {
    return call.notImplemented()
  },

  /** GET /books/{isbn}/availability(on={on}): How many copies can be borrowed on a day. */
  availability(call) {
    return call.notImplemented()
  },

  audiobooks: {
    /** GET /books/library.audiobook */
    list(call) {
      return call.notImplemented()
    },
  },

  copies: {
    /** GET /books/{isbn}/copies */
    list(call) {
      return call.notImplemented()
    },
  },

  authors: {
    /** GET /books/{isbn}/authors */
    list(call) {
      return call.notImplemented()
    },
  },

  prequel: {
    /** GET /books/{isbn}/prequel */
    get(call) {
      return call.notImplemented()
    },
  },

  sequels: {
    /** GET /books/{isbn}/sequels */
    list(call) {
      return call.notImplemented()
    },
  },

  reviews: {
    /** GET /books/{isbn}/reviews */
    list(call) {
      return call.notImplemented()
    },

    /** POST /books/{isbn}/reviews */
    create(call) {
      return call.notImplemented()
    },

    /** GET /books/{isbn}/reviews/{number} */
    get(call) {
      return call.notImplemented()
    },

    /** DELETE /books/{isbn}/reviews/{number} */
    delete(call) {
      return call.notImplemented()
    },
  },
}
