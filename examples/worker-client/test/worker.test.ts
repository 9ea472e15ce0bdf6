import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createReferenceService, type ReferenceService } from 'specwright/reference'
import { toNodeListener } from 'specwright/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadWorker, type Worker } from './worker-runtime.js'

const spec = join(createRequire(import.meta.url).resolve('specwright/package.json'), '../spec/directory.yaml')

describe('the worker', () => {
  let service: ReferenceService
  let server: Server
  let worker: Worker
  let environment = {}

  beforeAll(async () => {
    service = await createReferenceService({
      spec,
      store: 'sqlite::memory:',
      authenticate: ({ headers }) =>
        headers.get('authorization') === 'Bearer secret'
          ? { id: 'ada', scopes: ['User.ReadBasic.All', 'User.Read.All'] }
          : undefined,
    })
    const person = (id: string, displayName: string, manager?: string) => ({
      type: 'user',
      properties: { id, displayName, jobTitle: null },
      ...(manager === undefined ? {} : { links: { manager: [[manager]] } }),
    })
    await service.load([person('ada', 'Ada Lovelace'), person('alan', 'Alan Turing', 'ada')])
    server = createServer(toNodeListener(service.fetch)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('It listens on a port.')
    environment = { DIRECTORY_URL: `http://127.0.0.1:${address.port}/v1.0` }
    worker = await loadWorker()
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await service.close()
  })

  const get = (path: string, token = 'secret') => worker(path, token, environment)

  it('finds people with only fetch', async () => {
    const response = await get('/people?q=alan')
    expect(await response.json()).toEqual([{ name: 'Alan Turing', title: null, reportsTo: 'Ada Lovelace' }])
    expect(response.headers.get('cache-control')).toBe('private, max-age=60')
  })

  it('passes on an error of the service', async () => {
    const response = await get('/people?q=alan', 'stolen')
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'InvalidAuthenticationToken' }])
  })

  it('reports when the service does not answer', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const address = closed.address()
    closed.close()
    await once(closed, 'close')
    const nowhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1.0`
    expect((await worker('/people?q=alan', 'secret', { DIRECTORY_URL: nowhere })).status).toBe(502)
  })

  it.each([
    ['', 400],
    ['?q=%20', 400],
    ['?q=%22%20OR%20%22', 200],
    ['?q=a%22b%5C', 200],
  ])('takes any text for a name: /people%s answers %i', async (query, status) => {
    expect((await get(`/people${query}`)).status).toBe(status)
  })

  it('has no other paths', async () => expect((await get('/')).status).toBe(404))
})
