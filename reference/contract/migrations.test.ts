import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { MigrationError } from '../index.js'
import { lastingEngineNames, type StoreMaker, sharedEngineNames, storeMaker } from '../testing/engines.js'
import { openFile } from '../testing/sqlite-drivers.js'
import { idsOf, itemsOf, linkOf, memberOf, openService, type TestedService } from '../testing/test-service.js'

/** A service whose only type has the given properties and relations. */
function service(properties: string, paths = '', types = ''): Service {
  const { service: loaded, diagnostics } = loadSpecText(
    `
specwright: 1
service: { name: things, title: Things, namespace: things, version: v1 }
authentication: { scheme: none }
resources:
  thing: { kind: entityType, key: [id], entityTag: weak, properties: { id: { type: String }, ${properties} } }
  kind: { kind: enumType, members: { a: 0, b: 1 } }
  ${types}
  other: { kind: enumType, members: { a: 1, b: 0, c: 2 } }
  grown: { kind: enumType, members: { a: 0, b: 1, c: 2 } }
container: { things: { entitySet: thing } }
queryOptions:
  all:
    filter: { operators: [eq], functions: [] }
    orderby: true
    top: { default: 100, max: 100, above: clamp }
    search: { syntax: words, join: [] }
paths:
  /things: { get: { returns: collection, query: all }, post: { creates: thing } }
  /things/{id}: { delete: { deletes: item } }${paths}
errors: { notFound: { status: 404, code: not-found, message: None. } }
`,
    'things.yaml',
  )
  if (loaded === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return loaded
}

const before = 'name: { type: String, nullable: true }, kind: { type: kind, nullable: true }'

describe.each(lastingEngineNames)('a store on %s', engine => {
  let maker: StoreMaker
  let folder: string
  let count = 0

  beforeAll(async () => {
    maker = await storeMaker(engine)
    folder = await mkdtemp(join(tmpdir(), 'specwright-store-'))
  })
  afterAll(async () => {
    await maker.stop()
    await rm(folder, { recursive: true })
  })

  /** The address of a store that survives being closed. */
  const lasting = async (): Promise<string> =>
    engine !== 'postgres' ? `${engine}:${join(folder, `store${++count}.db`)}` : maker.make()

  const filled = async (): Promise<string> => {
    const store = await lasting()
    const { request, reference } = await openService(service(before), store)
    for (const [id, name] of [
      ['1', 'Red One'],
      ['2', 'two'],
    ]) {
      expect((await request('/things', { method: 'POST', body: { id, name, kind: 'b' } })).status).toBe(201)
    }
    await reference.close()
    return store
  }

  it.each<[change: string, properties: string, query: string, ids: string]>([
    ['has nothing to do', before, '/things', '12'],
    ['adds a property', `${before}, size: { type: Int32, nullable: true }`, '/things?$filter=size eq null', '12'],
    [
      'adds a property with its default',
      `${before}, size: { type: Int32, default: 7 }`,
      '/things?$filter=size eq 7',
      '12',
    ],
    [
      'adds an index',
      'name: { type: String, nullable: true, index: true }, kind: { type: kind, nullable: true }',
      '/things?$orderby=name desc',
      '21',
    ],
    [
      'searches what it has',
      'name: { type: String, nullable: true, search: words }, kind: { type: kind, nullable: true }',
      '/things?$search=one',
      '1',
    ],
    [
      'adds a member to an enumeration',
      'name: { type: String, nullable: true }, kind: { type: grown, nullable: true }',
      "/things?$filter=kind eq 'b'",
      '12',
    ],
    [
      'makes a property unique',
      'name: { type: String, nullable: true, unique: true }, kind: { type: kind, nullable: true }',
      "/things?$filter=name eq 'two'",
      '2',
    ],
    ['keeps what the spec no longer has', 'kind: { type: kind, nullable: true }', '/things', '12'],
  ])('%s when the spec changes', async (_change, properties, query, ids) => {
    const store = await filled()
    const { request, reference } = await openService(service(properties), store)
    expect(idsOf(await request(query)).join('')).toBe(ids)
    const created = await request('/things', { method: 'POST', body: { id: '3' } })
    expect(created.status, created.text).toBe(201)
    await reference.close()
  })

  it.each([
    ['name: { type: Int32, nullable: true }, kind: { type: kind, nullable: true }', 'thing/name'],
    ['name: { type: String, nullable: true }, kind: { type: other, nullable: true }', 'member a'],
    [
      'name: { type: String, nullable: true }, kind: { type: kind, nullable: true, unique: true }',
      'thing/kind must now be unique',
    ],
    [`${before}, size: { type: Int32 }`, 'thing/size is required and has no default'],
    [`${before}, size: { type: Int32, default: 7, unique: true }`, 'thing/size must now be unique'],
    [
      'name: { type: String, nullable: true }, kind: { type: kind, nullable: true }, note: { type: String }',
      'thing/note is required and has no default',
    ],
  ])('refuses to become %s, and changes nothing', async (properties, message) => {
    const store = await filled()
    const opening = openService(service(properties), store)
    await expect(opening).rejects.toThrow(MigrationError)
    await expect(opening).rejects.toThrow(message)
    const { request, reference } = await openService(service(before), store)
    expect(itemsOf(await request('/things')).length).toBe(2)
    await reference.close()
  })

  it('requires a property only if all items have a value', async () => {
    const store = await filled()
    const always = service('name: { type: String }, kind: { type: kind, nullable: true }')
    await (await openService(always, store)).reference.close()
    const { request, reference } = await openService(service(before), store)
    expect((await request('/things', { method: 'POST', body: { id: '3', name: null } })).status).toBe(201)
    await reference.close()
    await expect(openService(always, store)).rejects.toThrow(
      'thing/name is now required, but some items have no value.',
    )
  })

  it('sets stamps of existing items to the time of the migration', async () => {
    const store = await filled()
    const stamped = `${before}, made: { type: DateTimeOffset, computed: true, stamp: created }`
    const { request, reference } = await openService(service(stamped), store)
    for (const item of itemsOf(await request('/things'))) expect(memberOf(item, 'made')).toMatch(/^\d{4}-.*Z$/)
    await reference.close()
  })

  it('rolls back a migration that fails', async () => {
    const store = await filled()
    const grown = service(`${before}, size: { type: Int32, default: 7 }`)
    const now = (): Date => {
      throw new Error('the process ends here')
    }
    const ending = service(
      `${before}, size: { type: Int32, default: 7 }, made: { type: DateTimeOffset, stamp: created, computed: true }`,
    )
    await expect(openService(ending, store, [], undefined, now)).rejects.toThrow('the process ends here')
    const { request, reference } = await openService(grown, store)
    expect(idsOf(await request('/things?$filter=size eq 7'))).toEqual(['1', '2'])
    await reference.close()
  })

  it('gains a type and its relations with the spec', async () => {
    const store = await filled()
    const grown = service(
      `${before} }, navigation: { parts: { to: part, collection: true, contained: true }, near: { to: part, collection: true }`,
      '\n  /things/{id}/parts: { get: { returns: collection, query: all }, post: { creates: part } }',
      'part: { kind: entityType, key: [id], properties: { id: { type: String }, name: { type: String, nullable: true } } }',
    )
    const { request, reference } = await openService(grown, store)
    expect((await request('/things/1/parts', { method: 'POST', body: { id: 'p' } })).status).toBe(201)
    expect(idsOf(await request('/things/1/parts'))).toEqual(['p'])
    expect(idsOf(await request('/things/2/parts'))).toEqual([])
    await reference.close()
  })

  const twoWeeks = 14 * 24 * 60 * 60 * 1000
  it.each<[clock: string, atRemoval: number, atStart: number]>([
    ['far ahead when it is opened', 0, twoWeeks],
    ['far behind when an item is removed', -twoWeeks, 0],
  ])('expires the delta links that miss a purged removal, if the clock is %s', async (_, atRemoval, atStart) => {
    const right = Date.UTC(2024, 0, 1)
    let time = right
    const store = await lasting()
    const tracked = service(before, '\n  /things/delta: { get: { returns: delta } }')
    const open = () => openService(tracked, store, [], undefined, () => new Date(time))
    const first = await open()
    await first.request('/things', { method: 'POST', body: { id: '1' } })
    const missing = linkOf(await first.request('/things/delta'), 'deltaLink') ?? ''
    time = right + atRemoval
    expect((await first.request('/things/1', { method: 'DELETE' })).status).toBe(204)
    time = right
    const complete = linkOf(await first.request('/things/delta?$deltatoken=latest'), 'deltaLink') ?? ''
    await first.reference.close()
    time = right + atStart
    const second = await open()
    time = right
    const expired = await second.request(missing)
    expect([expired.status, expired.headers.get('location')]).toEqual([410, 'http://service.test/v1/things/delta'])
    await second.request('/things', { method: 'POST', body: { id: '2' } })
    expect(idsOf(await second.request(complete))).toEqual(['2'])
    await second.reference.close()
  })

  it('tracks changes from the migration on, and never reuses an entity tag', async () => {
    const store = await filled()
    const tracked = service(before, '\n  /things/delta: { get: { returns: delta } }')
    const tags: unknown[] = []
    const change = async ({ request }: TestedService, method: 'POST' | 'DELETE', id: string): Promise<void> => {
      const target = method === 'POST' ? { path: '/things', body: { id } } : { path: `/things/${id}`, body: undefined }
      const { status, headers } = await request(target.path, { method, body: target.body })
      expect(status).toBe(method === 'POST' ? 201 : 204)
      if (method === 'POST') tags.push(headers.get('etag'))
    }
    const first = await openService(tracked, store)
    const all = await first.request('/things/delta')
    expect(idsOf(all)).toEqual(['1', '2'])
    await change(first, 'POST', '3')
    expect(idsOf(await first.request(linkOf(all, 'deltaLink') ?? ''))).toEqual(['3'])
    await change(first, 'DELETE', '3')
    await first.reference.close()
    for (const spec of [service(before), tracked, service(before)]) {
      const later = await openService(spec, store)
      await change(later, 'POST', '3')
      await change(later, 'DELETE', '3')
      await later.reference.close()
    }
    const last = await openService(service(before), store)
    tags.push(...itemsOf(await last.request('/things')).map(item => memberOf(item, '@odata.etag')))
    expect(new Set(tags).size).toBe(tags.length)
    expect(tags.length).toBe(6)
    await last.reference.close()
  })

  it('issues links that stay valid after it is reopened', async () => {
    const store = await filled()
    const open = (): Promise<TestedService> => openService(service(before), store)
    const first = await open()
    const page = await first.request('/things', { headers: { prefer: 'maxpagesize=1' } })
    await first.reference.close()
    const second = await open()
    expect(idsOf(page)).toEqual(['1'])
    expect(idsOf(await second.request(linkOf(page, 'nextLink') ?? ''))).toEqual(['2'])
    await second.reference.close()
  })

  if (engine === 'postgres') {
    it('continues the change numbers of a version that counted all tables together', async () => {
      const store = await filled()
      const client = new pg.Client({ connectionString: store })
      await client.connect()
      await client.query('DROP SEQUENCE "thing$version"')
      await client.query(`INSERT INTO "$change" ("table", last) VALUES ('thing', 41)`)
      await client.end()
      const { request, reference } = await openService(service(before), store)
      const created = await request('/things', { method: 'POST', body: { id: '3' } })
      expect(created.headers.get('etag')).toBe('W/"42"')
      await reference.close()
    })
  }

  it.runIf(sharedEngineNames.includes(engine))('can be opened by several processes at once', async () => {
    const store = await lasting()
    const opened = await Promise.all([1, 2, 3].map(() => openService(service(before), store)))
    const [first, ...others] = opened
    await first?.request('/things', { method: 'POST', body: { id: '1' } })
    for (const other of others) expect(idsOf(await other.request('/things'))).toEqual(['1'])
    for (const { reference } of opened) await reference.close()
  })
})

it('a store on sqlite whose decimals were floating-point numbers keeps them, and orders and finds them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-store-'))
  const file = join(folder, 'store.db')
  const spec = service('price: { type: Decimal, nullable: true, scale: variable, index: true }')
  const first = await openService(spec, `sqlite:${file}`)
  const prices = [2.5, -1, 0.1, 1e21, null]
  for (const [id, price] of prices.entries()) {
    await first.request('/things', { method: 'POST', body: { id: String(id), price } })
  }
  await first.reference.close()
  const database = openFile(`sqlite:${file}`)
  database.exec("UPDATE _specwright SET value = replace(value, '\"exact\"', '\"decimal\"') WHERE name = 'plan'")
  database.exec('ALTER TABLE thing RENAME COLUMN price TO old')
  const indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%old%'"
  for (const [name] of database.prepare(indexes).all([])) {
    database.exec(`DROP INDEX "${String(name)}"`)
  }
  database.exec('ALTER TABLE thing ADD COLUMN price REAL')
  for (const [id, price] of prices.entries())
    database.prepare('UPDATE thing SET price = ? WHERE id = ?').run([price, String(id)])
  database.exec('ALTER TABLE thing DROP COLUMN old')
  database.close()
  const second = await openService(spec, `sqlite:${file}`)
  expect(itemsOf(await second.request('/things?$orderby=price')).map(item => memberOf(item, 'price'))).toEqual([
    null,
    -1,
    0.1,
    2.5,
    1e21,
  ])
  expect(idsOf(await second.request('/things?$filter=price eq 0.1'))).toEqual(['2'])
  await second.reference.close()
  await rm(folder, { recursive: true })
})
