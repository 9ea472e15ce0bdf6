import type { Task } from '../types.js'

/** What every handler gets as `context`: where the tasks are. A real service has its database here. */
export interface Context {
  readonly tasks: Map<string, Task>
}
