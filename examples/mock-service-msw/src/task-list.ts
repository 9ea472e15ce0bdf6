import { createTodo } from './api/client.js'
import { ServiceError } from './api/runtime/client.js'

const todo = createTodo({ baseUrl: 'https://todo.example/v1.0', token: 'secret' })

/** What the list shows: the open tasks, or that there are none, or why they cannot be shown. */
export type TaskList =
  | { readonly state: 'tasks'; readonly titles: readonly string[] }
  | { readonly state: 'nothing to do' }
  | { readonly state: 'error'; readonly message: string }

/** Loads the open tasks. It calls the service with the `fetch` of the platform, as in production. */
export async function loadTaskList(): Promise<TaskList> {
  try {
    const titles: string[] = []
    for await (const { title } of todo.tasks.list({ select: ['title'], filter: f => f.eq('done', false) })) {
      titles.push(title)
    }
    return titles.length === 0 ? { state: 'nothing to do' } : { state: 'tasks', titles }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { state: 'error', message: `The list cannot be shown: ${error.code}.` }
  }
}
