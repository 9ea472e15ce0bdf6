import type { RulesHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of rules. */
export const rules: RulesHandlers<Context> = {
  /** GET /rules */
  get(call) {
    return call.notImplemented()
  },

  /** PATCH /rules */
  update(call) {
    return call.notImplemented()
  },
}
