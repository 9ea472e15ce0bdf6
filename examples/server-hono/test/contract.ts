import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTodo, type Todo } from '../src/api/client.js'

/** An app that listens. */
export interface Listening {
  readonly port: number
  readonly close: () => Promise<unknown>
}

/** Tests the mounted service through a socket and with the generated client; the results do not depend on the framework. */
export function testMountedService(listen: (token: string) => Promise<Listening>): void {
  describe('the mounted service', () => {
    const token = 'secret'
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    let app: Listening
    let baseUrl: string
    let todo: Todo

    beforeAll(async () => {
      app = await listen(token)
      baseUrl = `http://127.0.0.1:${app.port}/v1.0`
      todo = createTodo({ baseUrl, token })
    })
    afterAll(() => app.close())

    it('creates, filters, pages, updates and deletes', async () => {
      const titles = ['Oil the lock', 'Paint the door', 'Rest, 100 % & more']
      for (const title of titles) await todo.tasks.create({ title, due: '2026-12-01' })
      const found: string[] = []
      for await (const { title } of todo.tasks.list({ filter: f => f.contains('title', '% &'), select: ['title'] }))
        found.push(title)
      expect(found).toEqual(['Rest, 100 % & more'])

      const first = await todo.tasks.list({ orderby: ['title desc'], top: 2, count: true }).page()
      expect(first.count).toBe(3)
      expect(first.nextLink ?? baseUrl).toContain(baseUrl)

      const [task] = first.value
      const id = task?.id ?? ''
      const ifMatch = task?.['@odata.etag']
      expect(await todo.tasks.update(id, { done: true }, { ifMatch })).toMatchObject({ done: true })
      const stale = await todo.tasks.update(id, { done: false }, { ifMatch }).result()
      expect(stale.ok ? 'changed' : stale.error.status).toBe(412)
      await todo.tasks.delete(id)
    })

    it('answers errors in the declared shape', async () => {
      const gone = await todo.tasks.get('none').result()
      expect(gone.ok ? 'there' : [gone.error.status, gone.error.code]).toEqual([404, 'NotFound'])
      const stranger = await createTodo({ baseUrl, token: 'stolen' }).tasks.list().page().result()
      expect(stranger.ok ? 'let in' : [stranger.error.status, stranger.error.code]).toEqual([401, 'Unauthenticated'])
      for (const [path, init, status] of [
        ['/nowhere', {}, 404],
        ['/tasks/%E0%A4%A', {}, 400],
        ['/tasks', { method: 'POST', body: '{"title":' }, 400],
        ['/tasks', { method: 'POST', body: '{"title":"a","colour":"red"}' }, 400],
        ['/tasks', { method: 'POST', body: 'title=a', headers: { ...headers, 'content-type': 'text/plain' } }, 415],
        ['/tasks', { method: 'PUT', body: '{}' }, 405],
      ] as const) {
        const response = await fetch(baseUrl + path, { headers, ...init })
        expect([path, response.status, await response.json()]).toMatchObject([
          path,
          status,
          { error: { code: expect.any(String), message: expect.any(String) } },
        ])
      }
    })

    it('answers HEAD like GET without the body, and OPTIONS with the allowed methods', async () => {
      const get = await fetch(`${baseUrl}/tasks?$select=title`, { headers })
      const head = await fetch(`${baseUrl}/tasks?$select=title`, { method: 'HEAD', headers })
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
        get.status,
        get.headers.get('content-type'),
        '',
      ])
      // A server may omit the length of a body that it does not send, but must not send a wrong one.
      const length = String((await get.arrayBuffer()).byteLength)
      expect([length, null]).toContain(head.headers.get('content-length'))
      const options = await fetch(`${baseUrl}/tasks`, { method: 'OPTIONS', headers })
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    })

    it('reads a body that arrives in pieces, and survives a client that disconnects within a body', async () => {
      const pieces = ['{"title":"in', ' three', ' pieces"}'].map(piece => new TextEncoder().encode(piece))
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces.shift()
          if (piece === undefined) controller.close()
          else controller.enqueue(piece)
        },
      })
      const created = await fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body, duplex: 'half' })
      expect([created.status, await created.json()]).toMatchObject([201, { title: 'in three pieces' }])

      const socket = connect(app.port, '127.0.0.1')
      const head = Object.entries({ host: 'localhost', 'content-length': '1000', ...headers })
      socket.write(`POST /v1.0/tasks HTTP/1.1\r\n${head.map(pair => pair.join(': ')).join('\r\n')}\r\n\r\n{"title":`)
      await new Promise(sent => socket.once('ready', sent))
      socket.destroy()
      const left = await todo.tasks.list({ count: true, top: 1 }).page()
      expect(left.count).toBeGreaterThan(0)
    })
  })
}
