import { type Handlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of operations that belong to no resource. */
export const operations: Pick<Handlers<Context>, 'openBranches' | 'sendReminders'> = {
  /** GET /openBranches(at={at}) */
  openBranches: notImplemented,

  /** POST /sendReminders */
  sendReminders: notImplemented,
}
