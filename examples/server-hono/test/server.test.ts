import { once } from 'node:events'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { cloneRawRequest } from 'hono/request'
import { describe, expect, it } from 'vitest'
import { todoApp } from '../src/app.js'
import { todoService } from '../src/service.js'
import { testMountedService } from './contract.js'
import { portOf } from './port-of.js'

testMountedService(async token => {
  const server = createAdaptorServer({ fetch: todoApp(token).fetch }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
})

const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }

describe('the service in Hono', () => {
  it('leaves other paths to the app, and can be called without a socket', async () => {
    const app = todoApp('secret')
    expect(await (await app.request('/')).text()).toContain('/v1.0/tasks')
    expect((await app.request('/elsewhere')).status).toBe(404)
    expect(await (await app.request('/v1.0/tasks', { headers })).json()).toMatchObject({ value: [] })
  })

  it('runs behind middleware, which adds CORS headers to its responses', async () => {
    const app = todoApp('secret')
    const origin = 'https://todo.example'
    const preflight = await app.request('/v1.0/tasks', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    const answer = await app.request('/v1.0/tasks', { headers: { ...headers, origin } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin])
  })

  it('reads a body that middleware has read before, with cloneRawRequest', async () => {
    const service = todoService('secret')
    const app = new Hono()
    app.use(async (context, next) => {
      await context.req.json()
      await next()
    })
    app.all('/v1.0/*', async context => service(await cloneRawRequest(context.req)))
    const answer = await app.request('/v1.0/tasks', { method: 'POST', headers, body: '{"title":"Read twice"}' })
    expect([answer.status, await answer.json()]).toMatchObject([201, { title: 'Read twice' }])
  })
})
