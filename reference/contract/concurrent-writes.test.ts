import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec } from '../../spec/language/index.js'
import { lastingEngineNames, type StoreMaker, sharedEngineNames, storeMaker } from '../testing/engines.js'
import {
  itemsOf,
  linkOf,
  memberOf,
  openService,
  type RequestOptions,
  type TestedService,
  type TestResponse,
} from '../testing/test-service.js'

const branch = {
  code: 'MAIN',
  name: 'Main',
  address: { street: 'S', city: 'C', postalCode: '1', country: { code: 'DE', name: 'G' } },
}
const member = { name: { family: 'F' }, contact: {}, joined: '2024-01-01' }

describe.each([
  ...lastingEngineNames.map(engine => ({ engine, processes: 1 })),
  ...sharedEngineNames.map(engine => ({ engine, processes: 2 })),
])('concurrent writes, in $processes of $engine:', ({ engine, processes }) => {
  let maker: StoreMaker
  let folder: string
  let services: readonly TestedService[]
  let books = 0

  beforeAll(async () => {
    maker = await storeMaker(engine)
    folder = await mkdtemp(join(tmpdir(), 'specwright-concurrent-'))
    const address = engine !== 'postgres' ? `${engine}:${join(folder, 'store.db')}` : await maker.make()
    const { service } = await loadSpec('spec/library.yaml')
    if (service === undefined) throw new Error('The Library has errors.')
    const principal = { id: 'nobody', scopes: service.authentication.scopes.map(({ name }) => name) }
    const opened: TestedService[] = []
    while (opened.length < processes) opened.push(await openService(service, address, [], principal))
    services = opened
    expect((await request(0, '/branches', { method: 'POST', body: branch })).status).toBe(201)
  })
  afterAll(async () => {
    for (const { reference } of services) await reference.close()
    await maker.stop()
    await rm(folder, { recursive: true })
  })

  /** Sends requests to the processes in turn. */
  const request = (index: number, path: string, options: RequestOptions = {}): Promise<TestResponse> => {
    const service = services[index % services.length]
    if (service === undefined) throw new Error('No process was opened.')
    return service.request(path, options)
  }
  const atOnce = (count: number, request: (index: number) => Promise<TestResponse>): Promise<readonly TestResponse[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => request(index)))
  const post = (index: number, path: string, body: object) => request(index, path, { method: 'POST', body })
  const newBook = async (): Promise<{ readonly isbn: string; readonly path: string; readonly tag: string }> => {
    const isbn = `978${String(++books).padStart(10, '0')}`
    const created = await post(books, '/books', { isbn, title: 'T' })
    expect(created.status, created.text).toBe(201)
    return { isbn, path: `/books/${isbn}`, tag: created.headers.get('etag') ?? '' }
  }
  const statuses = (answers: readonly TestResponse[]) => answers.map(({ status }) => status).toSorted()
  const some = (count: number, status: number): readonly number[] => Array.from({ length: count }, () => status)

  it('of twenty patches with the same tag, exactly one succeeds, and reads return it', async () => {
    for (let round = 0; round < 5; round++) {
      const { path, tag } = await newBook()
      const answers = await atOnce(20, index =>
        request(index, path, { method: 'PATCH', body: { pages: index + 1 }, headers: { 'if-match': tag } }),
      )
      expect(statuses(answers)).toEqual([200, ...some(19, 412)])
      const winner = answers.find(({ status }) => status === 200)
      expect((await request(round, path)).text).toBe(winner?.text)
    }
  })

  it('of patches and deletes with the same tag, exactly one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const { path, tag } = await newBook()
      const headers = { 'if-match': tag }
      const answers = await atOnce(8, index =>
        request(
          index,
          path,
          index % 2 === 0 ? { method: 'PATCH', body: { pages: 1 }, headers } : { method: 'DELETE', headers },
        ),
      )
      expect(answers.filter(({ status }) => status < 300).length).toBe(1)
      const isDeleted = answers.some(({ status }) => status === 204)
      expect((await request(round, path)).status).toBe(isDeleted ? 404 : 200)
      const refused = statuses(answers).filter(status => status >= 300)
      for (const status of refused) expect([404, 412]).toContain(status)
    }
  })

  it('patches of different properties are all applied', async () => {
    const { text } = await post(0, '/authors', { name: { family: 'A' } })
    const [, id = ''] = /"id":"([^"]*)"/.exec(text) ?? []
    const created = itemsOf(await request(0, '/authors?$select=id&$top=50')).at(-1)
    const path = `/authors/${String(memberOf(created, 'id') ?? id)}`
    const changes = [{ born: '1900-01-01' }, { penNames: ['P'] }, { name: { given: 'G' } }, { name: { family: 'B' } }]
    const answers = await atOnce(4, index => request(index, path, { method: 'PATCH', body: changes[index] }))
    expect(statuses(answers), answers.map(answer => answer.text).join('\n')).toEqual(some(4, 200))
    const { json } = await request(1, path)
    expect([memberOf(json, 'born'), memberOf(json, 'penNames')]).toEqual(['1900-01-01', ['P']])
    expect(memberOf(json, 'name')).toMatchObject({ given: 'G', family: 'B' })
  })

  it('of twenty creates with the same key, exactly one succeeds', async () => {
    const body = { isbn: '9789999999999', title: 'T' }
    expect(statuses(await atOnce(20, index => post(index, '/books', body)))).toEqual([201, ...some(19, 409)])
  })

  it('of twenty creates with the same unique value, exactly one succeeds', async () => {
    const answers = await atOnce(20, index => post(index, '/members', { ...member, cardNumber: '12345678' }))
    expect(statuses(answers), answers[0]?.text).toEqual([201, ...some(19, 409)])
  })

  it('creates with generated numeric keys all get different keys', async () => {
    const { path } = await newBook()
    const answers = await atOnce(20, index => post(index, `${path}/reviews`, { stars: 1 }))
    expect(statuses(answers)).toEqual(some(20, 201))
    const numbers = answers.map(({ json }) => Number(memberOf(json, 'number'))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('no child survives the deletion of its owner', async () => {
    for (let round = 0; round < 5; round++) {
      const { path, tag } = await newBook()
      const answers = await atOnce(9, index =>
        index === 4
          ? request(index, path, { method: 'DELETE', headers: { 'if-match': tag } })
          : post(index, `${path}/reviews`, { stars: 1 }),
      )
      expect(answers[4]?.status).toBe(204)
      for (const { status } of answers) expect([201, 204, 404]).toContain(status)
      expect((await request(round, `${path}/reviews`)).status).toBe(404)
    }
  })

  it('an item is either deleted or referred to, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { isbn, path, tag } = await newBook()
      const copy = { isbn, number: 1, branchCode: 'MAIN', acquired: '2024-01-01' }
      const [created, deleted] = await atOnce(2, index =>
        index === 0
          ? post(round, '/copies', copy)
          : request(round + 1, path, { method: 'DELETE', headers: { 'if-match': tag } }),
      )
      const found = (await request(round, `/copies(isbn='${isbn}',number=1)`)).status
      expect([created?.status, deleted?.status, found], created?.text).toEqual(
        created?.status === 201 ? [201, 409, 200] : [400, 204, 404],
      )
    }
  })

  it('a delta query that runs meanwhile reports every change', async () => {
    const reported = new Map<string, unknown>()
    let link = '/books/delta?$deltatoken=latest'
    let isDone = false
    const follow = async (): Promise<void> => {
      for (let turn = 0; ; turn++) {
        const wasDone = isDone
        // An embedded engine answers synchronously. Give the other requests a turn.
        await setImmediate()
        const page = await request(turn, link)
        expect(page.status, page.text).toBe(200)
        for (const item of itemsOf(page)) reported.set(String(memberOf(item, 'isbn')), memberOf(item, 'pages'))
        const next = linkOf(page, 'nextLink')
        link = next ?? linkOf(page, 'deltaLink') ?? ''
        if (wasDone && next === undefined && itemsOf(page).length === 0) return
      }
    }
    const isbns = Array.from({ length: 24 }, (_, index) => `979${String(index).padStart(10, '0')}`)
    const write = async (isbn: string, index: number): Promise<void> => {
      const created = await post(index, '/books', { isbn, title: 'T' })
      const headers = { 'if-match': created.headers.get('etag') ?? '' }
      const changed = await request(index + 1, `/books/${isbn}`, {
        method: 'PATCH',
        body: { pages: index + 1 },
        headers,
      })
      expect([created.status, changed.status]).toEqual([201, 200])
    }
    const first = await request(0, link)
    link = linkOf(first, 'deltaLink') ?? ''
    const following = follow()
    await Promise.all(isbns.map(write))
    isDone = true
    await following
    expect(isbns.map(isbn => reported.get(isbn))).toEqual(isbns.map((_, index) => index + 1))
  })
})
