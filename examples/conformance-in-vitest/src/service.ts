import { handlers } from './api/handlers/index.js'
import type { Service } from './api/runtime/server.js'
import { createTodo } from './api/server.js'
import type { Task } from './api/types.js'

/** The to-do service over some tasks. Callers need the token. */
export function todoService(token: string, tasks: readonly Task[]): Service {
  const store = new Map(tasks.map(task => [task.id, task]))
  return createTodo(handlers, {
    authenticate: ({ headers }) =>
      headers.get('authorization') === `Bearer ${token}`
        ? { id: 'ann', scopes: ['Tasks.Read', 'Tasks.ReadWrite'] }
        : undefined,
    context: () => ({ tasks: store }),
    onError: error => console.error(error),
  })
}
