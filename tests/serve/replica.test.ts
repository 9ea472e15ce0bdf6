import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../reference/testing/engines.js'
import { memberOf } from '../crash/thing-client.js'
import { killAll, type ServeProcess, startServe } from './serve-process.js'

let primary: PostgresServer
let replica: PostgresServer
let onReplica: pg.Client
let one: ServeProcess
let other: ServeProcess

beforeAll(async () => {
  primary = await startPostgres(['fsync=off'])
  replica = await primary.replicate()
  onReplica = new pg.Client({ connectionString: replica.address })
  onReplica.on('error', () => undefined)
  await onReplica.connect()
  const args = ['--port', '0', '--log', 'off', '--token', 'let-me-in']
  const start = (): Promise<ServeProcess> =>
    startServe([...args, '--store', primary.address, '--read-store', replica.address])
  one = await start()
  other = await start()
})
afterAll(async () => {
  killAll()
  await onReplica.end()
  await replica.stop()
  await primary.stop()
})

async function ask({ url }: ServeProcess, path: string, method = 'GET', body?: unknown): Promise<unknown> {
  const headers = { authorization: 'Bearer let-me-in', 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return (await fetch(url + path, { method, headers, ...sent })).json()
}

async function health({ url }: ServeProcess): Promise<unknown> {
  const response = await fetch(new URL('/healthz', url))
  return { status: response.status, body: await response.json() }
}

/** The reads of items that the connections of the services to the replica ran last. */
async function replicaReads(): Promise<number> {
  const { rows } = await onReplica.query(
    `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'specwright reads' AND query LIKE '%FROM "message"%'`,
  )
  return Number(rows[0].count)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20)
}

it('reads see every acknowledged write, of any process, whether the replica is current, late, silent or gone', async () => {
  const created = await ask(one, '/me/messages', 'POST', { subject: '0' })
  const path = `/me/messages/${String(memberOf(created, 'id'))}`
  const writeAndRead = async (rounds: number): Promise<void> => {
    for (let round = 1; round <= rounds; round++) {
      await ask(round % 2 === 0 ? one : other, path, 'PATCH', { subject: String(round) })
      const seen = await Promise.all([one, other, one, other].map(service => ask(service, path)))
      expect(seen.map(item => memberOf(item, 'subject'))).toEqual(Array(4).fill(String(round)))
    }
  }
  await writeAndRead(20)
  await until(async () => {
    await Promise.all([ask(one, path), ask(other, path)])
    return (await replicaReads()) >= 2
  })
  expect(await health(one)).toEqual({ status: 200, body: { status: 'ok' } })

  await onReplica.query('SELECT pg_wal_replay_pause()')
  await writeAndRead(3)
  expect(await health(one)).toEqual({ status: 200, body: { status: 'degraded' } })
  await onReplica.query('SELECT pg_wal_replay_resume()')
  await until(async () => JSON.stringify(await health(one)).includes('ok'))
  await writeAndRead(3)

  const goOn = await replica.freeze()
  await writeAndRead(3)
  expect(await health(one)).toEqual({ status: 200, body: { status: 'degraded' } })
  goOn()
  await until(async () => JSON.stringify(await health(one)).includes('ok'))
  await writeAndRead(3)

  await replica.kill()
  await writeAndRead(3)
  expect(await health(other)).toEqual({ status: 200, body: { status: 'degraded' } })
})
