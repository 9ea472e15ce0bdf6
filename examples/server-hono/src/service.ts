import { handlers } from './api/handlers/index.js'
import type { Service } from './api/runtime/server.js'
import { createTodo } from './api/server.js'
import type { Task } from './api/types.js'

/** The to-do service over tasks in memory. Callers need the token. */
export function todoService(token: string): Service {
  const tasks = new Map<string, Task>()
  return createTodo(handlers, {
    authenticate: ({ headers }) =>
      headers.get('authorization') === `Bearer ${token}`
        ? { id: 'ann', scopes: ['Tasks.Read', 'Tasks.ReadWrite'] }
        : undefined,
    context: () => ({ tasks }),
    onError: error => console.error(error),
  })
}
