import { type BooksHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of books. */
export const books: BooksHandlers<Context> = {
  /** GET /books */
  list: notImplemented,

  /** POST /books */
  create: notImplemented,

  /** GET /books/$count */
  count: notImplemented,

  /** GET /books/delta */
  delta: notImplemented,

  /** GET /books/mostBorrowed(limit={limit}) */
  mostBorrowed: notImplemented,

  /** GET /books/{isbn} */
  get: notImplemented,

  /** PUT /books/{isbn} */
  replace: notImplemented,

  /** PATCH /books/{isbn} */
  update: notImplemented,

  /** DELETE /books/{isbn} */
  delete: notImplemented,

  /** GET /books/{isbn}/availability(on={on}): How many copies can be borrowed on a day. */
  availability: notImplemented,

  audiobooks: {
    /** GET /books/library.audiobook */
    list: notImplemented,
  },

  copies: {
    /** GET /books/{isbn}/copies */
    list: notImplemented,
  },

  authors: {
    /** GET /books/{isbn}/authors */
    list: notImplemented,
  },

  admirers: {
    /** GET /books/{isbn}/admirers */
    list: notImplemented,
  },

  prequel: {
    /** GET /books/{isbn}/prequel */
    get: notImplemented,
  },

  sequels: {
    /** GET /books/{isbn}/sequels */
    list: notImplemented,
  },

  reviews: {
    /** GET /books/{isbn}/reviews */
    list: notImplemented,

    /** POST /books/{isbn}/reviews */
    create: notImplemented,

    /** GET /books/{isbn}/reviews/{number} */
    get: notImplemented,

    /** DELETE /books/{isbn}/reviews/{number} */
    delete: notImplemented,
  },

  cover: {
    /** GET /books/{isbn}/cover */
    get: notImplemented,

    /** PUT /books/{isbn}/cover */
    replace: notImplemented,

    /** DELETE /books/{isbn}/cover */
    delete: notImplemented,
  },
}
