import { readFileSync } from 'node:fs'
import { type HttpHandler, http } from 'msw'
import { loadSpecText } from 'specwright/language'
import { createMockService, type Fault } from 'specwright/reference'

/** How the service behaves in a story: how many tasks it has, and what goes wrong. */
export interface MockTodo {
  readonly tasks: number
  readonly fault?: (request: Request) => Fault | undefined
}

const { service: spec } = loadSpecText(readFileSync(new URL('../todo.yaml', import.meta.url), 'utf8'), 'todo.yaml')

/** The whole service as one handler of MSW: for `setupServer` in tests, and for `parameters.msw.handlers` in Storybook. */
export async function mockTodo({ tasks, ...options }: MockTodo): Promise<readonly HttpHandler[]> {
  if (spec === undefined) throw new Error('todo.yaml has errors.')
  const mock = await createMockService({ spec, rows: String(tasks), ...options })
  return [http.all('https://todo.example/v1.0/*', ({ request }) => mock.fetch(request))]
}
