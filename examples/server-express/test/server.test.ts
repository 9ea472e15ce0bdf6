import { once } from 'node:events'
import express, { type Express } from 'express'
import { describe, expect, it } from 'vitest'
import { createTodo } from '../src/api/client.js'
import { toNodeListener } from '../src/api/runtime/server.js'
import { todoApp } from '../src/app.js'
import { todoService } from '../src/service.js'
import { type Listening, testMountedService } from './contract.js'
import { portOf } from './port-of.js'

async function listen(app: Express): Promise<Listening> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

testMountedService(token => listen(todoApp(token)))

describe('the service in Express', () => {
  it('leaves other paths to the app', async () => {
    const { port, close } = await listen(todoApp('secret'))
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('/v1.0/tasks')
    expect((await fetch(`http://127.0.0.1:${port}/elsewhere`)).status).toBe(404)
    await close()
  })

  it.each([
    ['express.json()', express.json()],
    ['express.text()', express.text({ type: '*/*' })],
    ['express.raw()', express.raw({ type: '*/*' })],
  ])('takes the bodies that %s in front of it has read', async (_, parser) => {
    const app = express()
    app.use(parser)
    app.use('/v1.0', toNodeListener(todoService('secret')))
    const { port, close } = await listen(app)
    const todo = createTodo({ baseUrl: `http://127.0.0.1:${port}/v1.0`, token: 'secret' })
    const { id } = await todo.tasks.create({ title: 'Read before: é😀' })
    expect(await todo.tasks.update(id, { due: null })).toMatchObject({ title: 'Read before: é😀', due: null })
    await todo.tasks.delete(id)
    await close()
  })
})
