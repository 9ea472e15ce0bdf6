import { type DriveHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of drive. */
export const drive: DriveHandlers<Context> = {
  items: {
    children: {
      /** GET /drive/items/{id}/children (interface, section 4.1) */
      list: notImplemented,
    },
  },
}
