import type { BranchesHandlers } from '../server.js'
import type { Context } from './context.js'

/** The handlers of branches. */
export const branches: BranchesHandlers<Context> = {
  /** GET /branches */
  list(call) {
    return call.notImplemented()
  },

  /** POST /branches */
  create(call) {
    return call.notImplemented()
  },

  /** GET /branches/{code} */
  get(call) {
    return call.notImplemented()
  },

  /** PATCH /branches/{code} */
  update(call) {
    return call.notImplemented()
  },

  /** GET /branches/{code}/allSubBranches(): The branches below this one, at every depth. */
  allSubBranches(call) {
    return call.notImplemented()
  },
}
