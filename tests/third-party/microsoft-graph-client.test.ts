import {
  BatchRequestContent,
  BatchResponseContent,
  Client,
  type PageCollection,
  PageIterator,
} from '@microsoft/microsoft-graph-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { engineNames, type StoreMaker, storeMaker } from '../../reference/testing/engines.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'

// The JavaScript client of Microsoft Graph, unchanged, with the Directory service in a separate process. The client sends credentials
// over HTTPS only. So the service is behind a proxy that terminates TLS, as in production: a function that forwards requests for the
// host to loopback over HTTP.

const host = 'directory.example'
const client = Client.init({
  baseUrl: `https://${host}/`,
  defaultVersion: 'v1.0',
  customHosts: new Set([host]),
  authProvider: done => done(null, 'let-me-in'),
})

afterAll(killAll)

describe.each(engineNames)('the client of Microsoft Graph, with a service on %s,', engine => {
  let maker: StoreMaker
  let service: ServeProcess
  beforeAll(async () => {
    maker = await storeMaker(engine)
    const publicUrl = ['--public-url', `https://${host}/v1.0`]
    const store = ['--store', await maker.make()]
    service = await startServe(['--port', '0', '--log', 'off', '--token', 'let-me-in', ...publicUrl, ...store])
    const send = globalThis.fetch
    vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      const body = request.body === null ? {} : { body: await request.arrayBuffer() }
      return send(new URL(service.url).origin + pathname + search, {
        method: request.method,
        headers: request.headers,
        ...body,
      })
    })
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    await service.stop()
    await maker.stop()
  })

  it('pages through a collection', async () => {
    const names: unknown[] = []
    const first: PageCollection = await client.api('/users').select('displayName').orderby('displayName').top(7).get()
    expect(first.value).toHaveLength(7)
    await new PageIterator(client, first, user => {
      names.push(user.displayName)
      return true
    }).iterate()
    expect(names).toHaveLength(25)
    expect(names).toEqual(names.toSorted())
  })

  it('filters, searches, counts and expands', async () => {
    const unread = await client.api('/me/messages').filter('isRead eq false').count(true).get()
    expect(unread['@odata.count']).toBe(7)
    const query = client.api('/users').header('ConsistencyLevel', 'eventual').search('"displayName:kim"')
    const found = await query.expand('manager($select=displayName)').get()
    expect(found.value.map((user: { manager: unknown }) => user.manager)).toMatchObject([
      { displayName: "Seán O'Brien" },
      { displayName: 'Adaeze Okafor' },
    ])
  })

  it('creates, updates with a precondition, and deletes', async () => {
    const created = await client.api('/me/messages').post({ subject: 'from the client' })
    const message = client.api(`/me/messages/${created.id}`).header('If-Match', created['@odata.etag'])
    expect(await message.patch({ isRead: false })).toMatchObject({ subject: 'from the client', isRead: false })
    await expect(message.patch({ isRead: true })).rejects.toMatchObject({ statusCode: 412 })
    await client.api(`/me/messages/${created.id}`).delete()
    await expect(client.api(`/me/messages/${created.id}`).get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'ErrorItemNotFound',
    })
  })

  it('sends batches, and reads each response', async () => {
    const request = (path: string, init?: RequestInit): Request => new Request(`https://${host}/v1.0${path}`, init)
    const headers = { 'content-type': 'application/json' }
    const batch = new BatchRequestContent([
      { id: '1', request: request('/me?$select=displayName', { method: 'GET' }) },
      { id: '2', request: request('/me/messages', { method: 'POST', headers, body: '{"subject":"batched"}' }) },
      { id: '3', request: request('/users/nobody', { method: 'GET' }) },
    ])
    const answers = new BatchResponseContent(await client.api('/$batch').post(await batch.getContent()))
    const reported = await Promise.all(
      ['1', '2', '3'].map(async id => {
        const answer = answers.getResponseById(id)
        return [answer.status, await answer.json()]
      }),
    )
    expect(reported).toMatchObject([
      [200, { displayName: 'Mira Özdemir' }],
      [201, { subject: 'batched' }],
      [404, { error: { code: 'ErrorItemNotFound' } }],
    ])
  })

  it('follows delta links', async () => {
    const first = await client.api('/users/delta').select('displayName').get()
    expect(first.value).toHaveLength(25)
    expect((await client.api(first['@odata.deltaLink']).get()).value).toEqual([])
    await client.api('/me').patch({ displayName: 'Mira O.' })
    const next = await client.api(first['@odata.deltaLink']).get()
    expect(next.value).toMatchObject([{ id: 'mira', displayName: 'Mira O.' }])
  })

  it('calls actions and functions', async () => {
    const groups = await client.api('/me/getMemberGroups').post({ securityEnabledOnly: true })
    expect(groups.value.toSorted()).toEqual(['product', 'readers'])
    const view = "/me/reminderView(startDateTime='2026-03-01T00:00:00Z',endDateTime='2026-03-04T00:00:00Z')"
    expect((await client.api(view).get()).value).toHaveLength(3)
  })
})
