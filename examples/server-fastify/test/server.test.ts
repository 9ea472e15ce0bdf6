import { describe, expect, it } from 'vitest'
import { todoApp } from '../src/app.js'
import { testMountedService } from './contract.js'
import { portOf } from './port-of.js'

testMountedService(async token => {
  const app = todoApp(token)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: portOf(app.server), close: () => app.close() }
})

const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }

describe('the service in Fastify', () => {
  it('leaves other paths to the app, which keeps its body parsers', async () => {
    const app = todoApp('secret')
    app.post('/echo', async request => request.body)
    expect((await app.inject('/')).body).toContain('/v1.0/tasks')
    expect((await app.inject('/elsewhere')).statusCode).toBe(404)
    const echoed = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })
    expect(echoed.json()).toEqual({ a: 1 })
    await app.close()
  })

  it('can be called without a socket', async () => {
    const app = todoApp('secret')
    const created = await app.inject({ method: 'POST', url: '/v1.0/tasks', headers, payload: '{"title":"Injected"}' })
    expect([created.statusCode, created.json()]).toMatchObject([201, { title: 'Injected' }])
    await app.close()
  })

  it('runs behind hooks, which add headers to its responses', async () => {
    const app = todoApp('secret')
    app.addHook('onSend', async (_request, reply) => void reply.header('x-served-by', 'fastify'))
    const answer = await app.inject({ url: '/v1.0/tasks', headers })
    expect([answer.statusCode, answer.headers['x-served-by']]).toEqual([200, 'fastify'])
    await app.close()
  })
})
