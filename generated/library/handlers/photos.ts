import { notImplemented, type PhotosHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of photos. */
export const photos: PhotosHandlers<Context> = {
  /** GET /photos */
  list: notImplemented,

  /** POST /photos */
  create: notImplemented,

  /** GET /photos/{id} */
  get: notImplemented,

  /** PATCH /photos/{id} */
  update: notImplemented,

  /** DELETE /photos/{id} */
  delete: notImplemented,

  value: {
    /** GET /photos/{id}/$value */
    get: notImplemented,

    /** PUT /photos/{id}/$value */
    replace: notImplemented,
  },
}
