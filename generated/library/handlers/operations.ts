import type { Handlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of operations that belong to no resource. */
export const operations: Pick<Handlers<Context>, 'openBranches' | 'sendReminders'> = {
  /** GET /openBranches(at={at}) */
  openBranches(call) {
    return call.notImplemented()
  },

  /** POST /sendReminders */
  sendReminders(call) {
    return call.notImplemented()
  },
}
