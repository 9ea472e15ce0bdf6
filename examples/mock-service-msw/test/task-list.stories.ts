import type { MockTodo } from './mock-todo.js'

// One story for each state. In Storybook, a `loader` passes each to `mockTodo`, as README.md shows.

export const full: MockTodo = { tasks: 60 }

export const empty: MockTodo = { tasks: 0 }

export const slow: MockTodo = { tasks: 3, fault: () => ({ delay: 50 }) }

export const failing: MockTodo = { tasks: 3, fault: () => ({ status: 500, code: 'outOfOrder' }) }
