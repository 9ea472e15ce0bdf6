import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../reference/testing/engines.js'
import { readAllThings, sendRequest } from '../crash/thing-client.js'
import { createWriteHistory, type WriteHistory } from '../crash/write-history.js'
import { writeUntilKilled } from '../crash/writers.js'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from './serve-process.js'

// `npm run soak` runs these tests: they start many servers.

const spec = join(root, 'tests', 'crash', 'things.yaml')

let stops: (() => Promise<void>)[] = []
afterEach(async () => {
  killAll()
  for (const stop of stops.toReversed()) await stop()
  stops = []
})

async function run(address: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  let rows: readonly Record<string, unknown>[] = []
  for (const statement of statements) rows = (await client.query(statement)).rows
  await client.end()
  return rows
}

/** A primary that acknowledges a write when its replica has it, too. */
async function synchronousPair(): Promise<{ readonly primary: PostgresServer; readonly replica: PostgresServer }> {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const replica = await primary.replicate()
  stops.push(replica.stop)
  // Not in the settings of both: the replica has no replica of its own when it is promoted.
  await run(primary.address, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()')
  return { primary, replica }
}

/** The address of two servers, as one with several hosts. */
function both(one: PostgresServer, other: PostgresServer): string {
  const { host } = new URL(other.address)
  return one.address.replace(new URL(one.address).host, each => `${each},${host}`)
}

function start(store: string, ...args: readonly string[]): Promise<ServeProcess> {
  return startServe([spec, '--store', store, '--port', '0', '--log', 'off', ...args])
}

function faultsOf(history: WriteHistory, things: Awaited<ReturnType<typeof readAllThings>>): readonly string[] {
  return [...history.ids()].flatMap(id => {
    const name = things.get(id)?.name
    const found = name === undefined ? 'absent' : name.startsWith('changed ') ? 'changed' : 'created'
    return history.inconsistency(id, found) ?? []
  })
}

const rounds = Math.ceil(Number(process.env['ROUNDS'] ?? 20) / 20)

describe('a service on a primary with a synchronous replica', () => {
  it('goes on at the promoted replica, without a restart, and loses no acknowledged write', async () => {
    let acknowledged = 0
    for (let round = 0; round < rounds; round++) {
      const { primary, replica } = await synchronousPair()
      const hosts = both(primary, replica)
      const services = [
        await start(hosts, '--read-store', hosts),
        await start(`${hosts}?target_session_attrs=read-write`, '--read-store', hosts),
      ]
      const history = createWriteHistory()
      const write = (phase: string): Promise<unknown> =>
        Promise.all(
          services.flatMap(({ url }, index) =>
            ['a', 'b', 'c'].map(lane => writeUntilKilled(url, `${phase}-${index}-${lane}`, history)),
          ),
        )
      const writing = write('before')
      while (history.acknowledged() < 50 + round * 10) await delay(5)
      await primary.kill()
      await writing
      await run(replica.address, 'SELECT pg_promote()')
      for (const { url } of services) while ((await sendRequest(`${url}/things`, 'GET')) === undefined) await delay(20)
      for (const { url } of services) expect(faultsOf(history, await readAllThings(url))).toEqual([])

      const before = history.acknowledged()
      const again = write('after')
      while (history.acknowledged() < before + 20) await delay(5)
      const [first] = services
      const health = await fetch(new URL('/healthz', first?.url))
      expect([health.status, await health.json()]).toEqual([200, { status: 'degraded' }])
      const ends = await Promise.all(services.map(service => service.stop()))
      await again
      expect(ends.map(({ code }) => code)).toEqual([0, 0])
      acknowledged += history.acknowledged()
      for (const stop of stops.toReversed()) await stop()
      stops = []
    }
    process.stderr.write(`${rounds} failovers, ${acknowledged} acknowledged writes, none lost\n`)
  })

  it('acknowledges no write that the replica has not confirmed, in time or at all', async () => {
    const { primary, replica } = await synchronousPair()
    const { url } = await start(primary.address, '--statement-timeout', '0.5')
    const { url: patient } = await start(primary.address)
    const create = (service: string, id: string): Promise<unknown> =>
      sendRequest(`${service}/things`, 'POST', { id, name: id, note: id })
    expect(await create(url, 'a')).toMatchObject({ status: 201 })
    await replica.kill()
    expect(await create(url, 'b')).toBeUndefined()
    const cancelled = create(patient, 'c')
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
    // The first write may still be waiting.
    for (let found = 0; found < 2; await delay(20)) found += (await run(primary.address, cancel)).length
    expect(await cancelled).toBeUndefined()
  })
})

const pgbouncer = '/usr/sbin/pgbouncer'
const isRequired = process.env['PGBOUNCER'] === 'required'
const poolSize = 4

/** Runs PgBouncer in transaction mode. @returns the address of the server behind it */
async function startBouncer(server: PostgresServer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-pgbouncer-'))
  await chmod(folder, 0o755)
  const { hostname, port } = new URL(server.address)
  const own = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: poolSize,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const databases = `* = host=${hostname} port=${port} user=specwright password=specwright`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `[databases]\n${databases}\n\n[pgbouncer]\n${lines.join('\n')}\n`)
  // It refuses to run as root.
  const child = spawn(pgbouncer, process.getuid?.() === 0 ? ['-u', 'postgres', file] : [file], { stdio: 'ignore' })
  stops.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
    await rm(folder, { recursive: true })
  })
  while (!(await accepts(own))) await delay(20)
  return server.address.replace(`:${port}/`, `:${own}/`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}

describe.runIf(isRequired || existsSync(pgbouncer))('two services behind PgBouncer in transaction mode', () => {
  it('lose no write, keep their time limits, and leave no setting behind', async () => {
    const server = await startPostgres()
    stops.push(server.stop)
    const bouncer = await startBouncer(server)
    const services = [await start(bouncer), await start(bouncer, '--statement-timeout', '0.5')]
    const [patient, hasty] = services
    const history = createWriteHistory()
    const writing = services.flatMap(({ url }, index) =>
      Array.from({ length: 8 }, (_, lane) => writeUntilKilled(url, `${index}-${lane}`, history)),
    )
    while (history.acknowledged() < 500) await delay(20)
    const seen = await Promise.all(Array.from({ length: 20 }, () => readAllThings(patient?.url ?? '')))
    expect(seen.every(things => things.size > 0)).toBe(true)
    await hasty?.stop()
    await patient?.stop()
    await Promise.all(writing)

    const last = await start(bouncer, '--statement-timeout', '0.5')
    expect(faultsOf(history, await readAllThings(last.url))).toEqual([])
    const holder = new pg.Client({ connectionString: server.address })
    await holder.connect()
    await holder.query('BEGIN; LOCK TABLE thing IN ACCESS EXCLUSIVE MODE')
    expect(await Promise.all([1, 2].map(() => sendRequest(`${last.url}/things`, 'GET')))).toEqual([
      undefined,
      undefined,
    ])
    expect(await sendRequest(`${last.url}/things`, 'POST', { id: 'x', name: 'x', note: 'x' })).toBeUndefined()
    await holder.query('ROLLBACK')
    await holder.end()
    expect((await sendRequest(`${last.url}/things`, 'GET'))?.status).toBe(200)

    const clients = Array.from({ length: poolSize }, () => new pg.Client({ connectionString: bouncer }))
    for (const client of clients) {
      await client.connect()
      await client.query('BEGIN')
    }
    const settings = await Promise.all(clients.map(client => client.query('SHOW statement_timeout')))
    expect(settings.map(({ rows }) => rows[0].statement_timeout)).toEqual(Array(poolSize).fill('0'))
    await Promise.all(clients.map(client => client.end()))
  })
})
