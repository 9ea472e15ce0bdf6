import type { Handlers } from '../server.js'
import type { Context } from './context.js'
import { tasks } from './tasks.js'

/** All handlers of To-do list. */
export const handlers: Handlers<Context> = {
  tasks,
}
