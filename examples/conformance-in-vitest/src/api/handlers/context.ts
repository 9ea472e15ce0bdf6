import type { Task } from '../types.js'

/** The `context` of every handler: the tasks. A real service has its database here. */
export interface Context {
  readonly tasks: Map<string, Task>
}
