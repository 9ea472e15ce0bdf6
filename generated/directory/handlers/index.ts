import type { Handlers } from '../server.js'
import type { Context } from './context.js'
import { me } from './me.js'
import { drive } from './drive.js'
import { users } from './users.js'
import { groups } from './groups.js'

/** All handlers of Directory and Mailbox. */
export const handlers: Handlers<Context> = {
  me,
  drive,
  users,
  groups,
}
