import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type StoreMaker, storeMaker } from '../../reference/testing/engines.js'
import { createReplica, listOf, memberOf, readAllThings } from '../crash/thing-client.js'
import { createWriteHistory } from '../crash/write-history.js'
import { writeUntilKilled } from '../crash/writers.js'
import { root } from '../root.js'
import { type DatabaseProxy, databaseProxy } from './database-proxy.js'
import { killAll, type ServeProcess, startServe } from './serve-process.js'

afterAll(killAll)

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
}

/** Sends a request to a process. A link of another process is redirected to the same path, as a load balancer does. */
async function ask(
  { url }: ServeProcess,
  path: string,
  method = 'GET',
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const { pathname, search } = new URL(path.startsWith('http') ? path : url + path)
  const fields = { authorization: 'Bearer let-me-in', 'content-type': 'application/json', ...headers }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(new URL(url).origin + pathname + search, { method, headers: fields, ...sent })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}

const idsOf = ({ json }: Answered): readonly unknown[] => listOf(json, 'value').map(item => memberOf(item, 'id'))

describe('two processes on one PostgreSQL', () => {
  let maker: StoreMaker
  let store: string
  let one: ServeProcess
  let other: ServeProcess
  const start = (): Promise<ServeProcess> =>
    startServe(['--port', '0', '--log', 'off', '--token', 'let-me-in', '--store', store])

  beforeAll(async () => {
    maker = await storeMaker('postgres')
    store = await maker.make()
    const both = await Promise.all([start(), start()])
    one = both[0]
    other = both[1]
  })
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()])
    await maker.stop()
  })

  it('start together on an empty database, and one of them loads the data', async () => {
    const loaded = [one, other].filter(({ err }) => err().includes('the store has data, so nothing was loaded'))
    expect(loaded).toHaveLength(1)
    expect(memberOf((await ask(other, '/users?$count=true&$top=1')).json, '@odata.count')).toBe(25)
  })

  it('read immediately what the other wrote', async () => {
    const created = await ask(one, '/me/messages', 'POST', { subject: 'by one' })
    const path = `/me/messages/${String(memberOf(created.json, 'id'))}`
    expect(memberOf((await ask(other, path)).json, 'subject')).toBe('by one')
    expect((await ask(other, path, 'PATCH', { subject: 'by the other' })).status).toBe(200)
    expect(memberOf((await ask(one, path)).json, 'subject')).toBe('by the other')
    expect((await ask(one, path, 'DELETE')).status).toBe(204)
    expect((await ask(other, path)).status).toBe(404)
  })

  it('follow next links of the other', async () => {
    const whole = idsOf(await ask(one, '/users?$orderby=displayName'))
    const found: unknown[] = []
    let link: unknown = '/users?$orderby=displayName&$top=4'
    for (let page = 0; typeof link === 'string'; page++) {
      const answer = await ask(page % 2 === 0 ? one : other, link)
      found.push(...idsOf(answer))
      link = memberOf(answer.json, '@odata.nextLink')
    }
    expect(found).toEqual(whole)
  })

  it('follow delta links of the other', async () => {
    const first = await ask(one, '/users/delta?$deltatoken=latest')
    const changed = await ask(one, '/me', 'PATCH', { jobTitle: 'Changed by one' })
    expect(changed.status).toBe(200)
    const second = await ask(other, String(memberOf(first.json, '@odata.deltaLink')))
    expect(idsOf(second)).toEqual(['mira'])
    await ask(other, '/me', 'PATCH', { jobTitle: 'Changed by the other' })
    const third = await ask(one, String(memberOf(second.json, '@odata.deltaLink')))
    expect(listOf(third.json, 'value')).toMatchObject([{ id: 'mira', jobTitle: 'Changed by the other' }])
    expect(idsOf(await ask(other, String(memberOf(third.json, '@odata.deltaLink'))))).toEqual([])
  })

  it('let exactly one of many patches with the same precondition win', async () => {
    const { json } = await ask(one, '/me/messages', 'POST', { subject: 'contended' })
    const path = `/me/messages/${String(memberOf(json, 'id'))}`
    let tag = String(memberOf(json, '@odata.etag'))
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, lane) =>
          ask(lane % 2 === 0 ? one : other, path, 'PATCH', { subject: `${round}-${lane}` }, { 'if-match': tag }),
        ),
      )
      const won = answers.filter(({ status }) => status === 200)
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)])
      expect(memberOf((await ask(one, path)).json, 'subject')).toBe(memberOf(won[0]?.json, 'subject'))
      tag = String(memberOf(won[0]?.json, '@odata.etag'))
    }
  })

  it('accept exactly one of many items with the same unique value', async () => {
    const group = { displayName: 'Unique', mailNickname: 'unique', mailEnabled: false, securityEnabled: true }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, lane) => ask(lane % 2 === 0 ? one : other, '/groups', 'POST', group)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(400)])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.json).toMatchObject({ error: { code: 'Request_MultipleObjectsWithSameKeyValue' } })
  })

  it('answer accepted requests after SIGTERM', async () => {
    const leaving = await start()
    const holder = new pg.Client({ connectionString: store })
    await holder.connect()
    await holder.query('BEGIN; LOCK TABLE message IN ACCESS EXCLUSIVE MODE')
    const writes = Array.from({ length: 5 }, (_, index) =>
      ask(leaving, '/me/messages', 'POST', { subject: `in flight ${index}` }),
    )
    const waiting = async (): Promise<number> =>
      Number(
        (await holder.query('SELECT count(*) FROM pg_locks WHERE NOT granted AND database IS NOT NULL')).rows[0].count,
      )
    while ((await waiting()) < writes.length) await delay(10)
    const stopped = leaving.stop()
    await expect(untilRefused(leaving)).resolves.toBe('refused')
    await holder.query('COMMIT')
    await holder.end()
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(5).fill(201))
    expect((await stopped).code).toBe(0)
  })
})

/** Waits until a process accepts no connections. */
async function untilRefused({ url }: ServeProcess): Promise<'refused'> {
  for (;;) {
    const answer = await fetch(new URL('/healthz', url)).catch(() => undefined)
    if (answer === undefined) return 'refused'
    await delay(5)
  }
}

describe('two processes that are stopped under load', () => {
  let maker: StoreMaker
  beforeAll(async () => {
    maker = await storeMaker('postgres')
  })
  afterAll(() => maker.stop())

  it('lose no acknowledged write, and report all of them in the delta', async () => {
    const store = await maker.make()
    const spec = join(root, 'tests', 'crash', 'things.yaml')
    const start = (): Promise<ServeProcess> => startServe([spec, '--store', store, '--port', '0', '--log', 'off'])
    const [one, other] = await Promise.all([start(), start()])
    const ledger = createWriteHistory()
    const replica = createReplica()
    const processes = [one, other] as const
    const running = processes.flatMap(({ url }, index) =>
      ['a', 'b', 'c'].map(lane => writeUntilKilled(url, `${index}-${lane}`, ledger)),
    )
    const deadline = performance.now() + 1_000
    // Each process reports what the other writes at the same time.
    for (let turn = 0; performance.now() < deadline || ledger.acknowledged() <= 10; turn++)
      await replica.follow(processes[turn % 2 === 0 ? 0 : 1].url)
    const ends = await Promise.all([one.stop(), other.stop()])
    await Promise.all(running)
    expect(ends.map(({ code, err }) => [code, err.includes('error')])).toEqual([
      [0, false],
      [0, false],
    ])

    const last = await start()
    const things = await readAllThings(last.url)
    const wrong = [...ledger.ids()].flatMap(id => {
      const name = things.get(id)?.name
      const found = name === undefined ? 'absent' : name.startsWith('changed ') ? 'changed' : 'created'
      return ledger.inconsistency(id, found) ?? []
    })
    expect(wrong).toEqual([])
    expect(await replica.follow(last.url)).toBe(true)
    expect(new Map([...replica.things].toSorted())).toEqual(new Map([...things].toSorted()))
    expect(ledger.acknowledged()).toBeGreaterThan(10)
    await last.stop()
  })
})

describe('a service whose database', () => {
  let maker: StoreMaker
  let proxy: DatabaseProxy
  beforeAll(async () => {
    maker = await storeMaker('postgres')
  })
  beforeEach(async () => {
    proxy = await databaseProxy(await maker.make())
  })
  afterEach(() => proxy.stop())
  afterAll(() => maker.stop())

  it('stops responding reports it in its health check, and ends on SIGTERM', async () => {
    const spec = join(root, 'tests', 'crash', 'things.yaml')
    const service = await startServe([spec, '--store', proxy.address, '--port', '0', '--log', 'off'])
    const health = new URL('/healthz', service.url)
    expect((await fetch(health)).status).toBe(200)
    proxy.fallSilent()
    expect((await fetch(health)).status).toBe(503)
    expect((await service.stop()).code).toBe(0)
  })

  it('goes away answers 503, also to reads whose cost it does not know yet', async () => {
    const spec = join(root, 'tests', 'endurance', 'notes.yaml')
    const args = ['--port', '0', '--log', 'off', '--token', 'let-me-in', '--workers', '1', '--limit', 'directCost=1']
    const start = (): Promise<ServeProcess> => startServe([spec, '--store', proxy.address, ...args])
    const measured = await start()
    expect((await ask(measured, '/notes?$filter=topic eq 1')).status).toBe(200)
    const fresh = await start()
    proxy.stop()
    for (const service of [measured, fresh]) {
      const { status, headers } = await ask(service, '/notes?$filter=topic eq 2')
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    }
    await Promise.all([measured.stop(), fresh.stop()])
  })
})
