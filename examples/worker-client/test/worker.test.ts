import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createReferenceService, type ReferenceService } from 'specwright/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadWorker, type Worker } from './worker-runtime.js'

const spec = join(createRequire(import.meta.url).resolve('specwright/package.json'), '../spec/directory.yaml')
const environment = { DIRECTORY_URL: 'https://directory.example/v1.0' }

describe('the worker', () => {
  let service: ReferenceService
  let worker: Worker

  beforeAll(async () => {
    service = await createReferenceService({
      spec,
      store: 'sqlite::memory:',
      authenticate: ({ headers }) =>
        headers.get('authorization') === 'Bearer secret' ? { id: 'ada', scopes: ['User.ReadBasic.All'] } : undefined,
    })
    const person = (id: string, displayName: string, manager?: string) => ({
      type: 'user',
      properties: { id, displayName, jobTitle: null },
      ...(manager === undefined ? {} : { links: { manager: [[manager]] } }),
    })
    await service.load([person('ada', 'Ada Lovelace'), person('alan', 'Alan Turing', 'ada')])
    worker = await loadWorker((url, request) => service.fetch(new Request(url, request)))
  })
  afterAll(() => service.close())

  const get = (path: string, token = 'secret', run = worker) =>
    run(new Request(`https://worker.example${path}`, { headers: { authorization: `Bearer ${token}` } }), environment)

  it('finds people with nothing but fetch', async () => {
    const response = await get('/people?q=alan')
    expect(await response.json()).toEqual([{ name: 'Alan Turing', title: null, reportsTo: 'Ada Lovelace' }])
    expect(response.headers.get('cache-control')).toBe('private, max-age=60')
  })

  it("hands the service's refusal on", async () => {
    const response = await get('/people?q=alan', 'stolen')
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'InvalidAuthenticationToken' }])
  })

  it('tells when there is no answer', async () => {
    const cut = await loadWorker(() => Promise.reject(new TypeError('fetch failed')))
    expect((await get('/people?q=alan', 'secret', cut)).status).toBe(502)
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
