import { notImplemented, type RulesHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of rules. */
export const rules: RulesHandlers<Context> = {
  /** GET /rules */
  get: notImplemented,

  /** PATCH /rules */
  update: notImplemented,
}
