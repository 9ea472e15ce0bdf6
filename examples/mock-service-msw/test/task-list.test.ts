import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadTaskList } from '../src/task-list.js'
import { mockTodo } from './mock-todo.js'
import { empty, failing, full, slow } from './task-list.stories.js'

describe('the list of tasks', () => {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  it.each([
    ['the open tasks of all pages', full, 'tasks'],
    ['that there is nothing to do', empty, 'nothing to do'],
    ['the tasks after a while', slow, 'tasks'],
    ['that the service fails', failing, 'error'],
  ] as const)('shows %s', async (_, story, state) => {
    server.use(...(await mockTodo(story)))
    const list = await loadTaskList()
    expect(list.state).toBe(state)
    // The service answers with at most 20 tasks on a page.
    if (story === full && list.state === 'tasks') expect(list.titles.length).toBeGreaterThan(20)
  })
})
