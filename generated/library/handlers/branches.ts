import { type BranchesHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

/** The handlers of branches. */
export const branches: BranchesHandlers<Context> = {
  /** GET /branches */
  list: notImplemented,

  /** POST /branches */
  create: notImplemented,

  /** GET /branches/{code} */
  get: notImplemented,

  /** PATCH /branches/{code} */
  update: notImplemented,

  /** GET /branches/{code}/allSubBranches(): The branches below this one, at every depth. */
  allSubBranches: notImplemented,
}
