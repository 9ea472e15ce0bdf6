import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../bin/testing/run-command.js'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { expectServeToFail, killAll, type ServeProcess, startServe } from './serve-process.js'

const folder = temporaryFolders()
afterAll(killAll)

const spec = `specwright: 1
service: { name: loans, version: v1 }
authentication: { scheme: bearer }
resources:
  book:
    kind: entityType
    key: [isbn]
    properties:
      isbn: { type: String }
      title: { type: String }
      lentTo: { type: String, nullable: true }
container: { books: { entitySet: book } }
operations:
  lend: { kind: action, binding: book, parameters: { to: { type: String } }, returns: { type: book } }
  lentTotal: { kind: function, returns: { type: Int32 } }
errors:
  notFound: { status: 404, code: NotFound, message: There is no such item. }
  alreadyLent: { status: 409, code: AlreadyLent, message: "Somebody has {isbn} already." }
faults: { itemNotFound: notFound }
paths:
  /books:
    get: { returns: collection, query: { filter: { operators: [eq, ne] }, count: true } }
    post: { creates: book }
  /books/{isbn}:
    get: { returns: item, errors: [notFound] }
    patch: { updates: item, errors: [notFound] }
  /books/{isbn}/lend:
    post: { calls: lend, errors: [notFound, alreadyLent] }
  /lentTotal():
    get: { calls: lentTotal }
`

const books = `import { createLoans } from '../client.js'
import { type BooksHandlers, notImplemented } from '../server.js'
import type { Context } from './context.js'

export const books: BooksHandlers<Context> = {
  list: notImplemented,
  create: notImplemented,
  get: notImplemented,
  update: notImplemented,
  lend({ keys, parameters, context, fail }) {
    const loans = createLoans({ baseUrl: context.baseUrl, fetch: context.fetch })
    return context.atomically(async () => {
      const book = await loans.books.get(keys.isbn).result()
      if (!book.ok) return fail('notFound')
      if (book.value.lentTo !== null) fail('alreadyLent')
      await loans.books.update(keys.isbn, { lentTo: parameters.to })
      if (parameters.to === 'nobody') throw new Error('a secret of the handler')
      return loans.books.get(keys.isbn)
    })
  },
}
`

const operations = `import { createLoans } from '../client.js'
import type { Handlers } from '../server.js'
import type { Context } from './context.js'

export const operations: Pick<Handlers<Context>, 'lentTotal'> = {
  async lentTotal({ context }) {
    const loans = createLoans({ baseUrl: context.baseUrl, fetch: context.fetch })
    return (await loans.books.list({ filter: f => f.ne('lentTo', null), count: true }).page()).count ?? 0
  },
}
`

const context = `import type { OwnService } from 'specwright/reference'

export type Context = OwnService
`

const options = ['--port', '0', '--log', 'json', '--token', 'secret']

describe('specwright serve --handlers with the generated TypeScript', () => {
  let service: ServeProcess
  beforeAll(async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'loans.yaml'), spec)
    writeFileSync(join(cwd, 'loans.data.yaml'), 'books: [{ isbn: "1", title: A tale }, { isbn: "2", title: Another }]')
    expect(await runCommand(cwd, 'generate', 'loans.yaml', '--out', 'loans')).toMatchObject({ code: 0 })
    for (const [name, text] of Object.entries({ books, operations, context }))
      writeFileSync(join(cwd, 'loans/handlers', `${name}.ts`), text)
    service = await startServe(['loans.yaml', '--handlers', 'loans/handlers/index.ts', ...options], cwd)
  })
  afterAll(() => service.stop())

  const send = async (path: string, body?: unknown): Promise<readonly [number, unknown]> => {
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(service.url + path, { headers, ...sent })
    return [response.status, await response.json()]
  }

  it('answers an action from its handler, which reads and writes the store with the generated client', async () => {
    expect(await send('/books/1/lend', { to: 'Ann' })).toMatchObject([200, { isbn: '1', lentTo: 'Ann' }])
    expect(await send('/books/1/lend', { to: 'Bob' })).toMatchObject([409, { error: { code: 'AlreadyLent' } }])
    expect(await send('/books/0/lend', { to: 'Bob' })).toMatchObject([404, { error: { code: 'NotFound' } }])
    expect(await send('/lentTotal()')).toMatchObject([200, { value: 1 }])
  })

  it('answers from the store where a handler is notImplemented', async () => {
    expect(await send('/books', { isbn: '3', title: 'A third' })).toMatchObject([201, { isbn: '3', lentTo: null }])
    expect(await send('/books/3')).toMatchObject([200, { title: 'A third' }])
  })

  it('checks the parameters before the handler runs', async () => {
    expect(await send('/books/2/lend', { to: 7 })).toMatchObject([400, {}])
  })

  it('undoes the work of a handler that fails, logs the error with its line, and does not reveal it', async () => {
    const [status, body] = await send('/books/2/lend', { to: 'nobody' })
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toMatch(/secret|books\.ts/)
    expect(service.err()).toMatch(/a secret of the handler.*books\.ts:17:/)
    expect(await send('/books/2')).toMatchObject([200, { lentTo: null }])
  })
})

describe('specwright serve --handlers with JavaScript', () => {
  const write = (text: string): string => {
    const cwd = folder()
    writeFileSync(join(cwd, 'loans.yaml'), spec)
    writeFileSync(join(cwd, 'handlers.mjs'), text)
    return cwd
  }
  const args = ['loans.yaml', '--handlers', 'handlers.mjs', ...options]

  it('passes the result of the export context to the handlers', async () => {
    const cwd = write(`
      import { notImplemented } from 'specwright/server'
      export const context = (request, principal, service) => ({ principal, service })
      export const handlers = {
        lentTotal: ({ context }) => Number(context.service.baseUrl.endsWith('/v1')),
        books: { lend: notImplemented, list: () => ({ value: [{ isbn: '9', title: 'My own', lentTo: null }] }) },
      }`)
    const service = await startServe(args, cwd)
    const headers = { authorization: 'Bearer secret' }
    const answers = async (path: string, method = 'GET'): Promise<unknown> => {
      const body = method === 'GET' ? null : '{"to":"Ann"}'
      const response = await fetch(service.url + path, { method, headers, body })
      return [response.status, await response.json()]
    }
    expect(await answers('/lentTotal()')).toMatchObject([200, { value: 1 }])
    expect(await answers('/books')).toMatchObject([200, { value: [{ isbn: '9' }] }])
    expect(await answers('/books/9/lend', 'POST')).toMatchObject([501, {}])
    await service.stop()
  })

  it.each([
    ['a misspelt operation', 'export const handlers = { lentTotl: () => 1 }', 'Did you mean lentTotal?'],
    ['a module that throws', 'throw new Error("no database")', 'no database\n'],
  ])('rejects %s', async (_, text, message) => {
    const ended = await expectServeToFail(args, write(text))
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(message)
  })
})
