import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineName, lastingEngineNames } from '../../reference/testing/engines.js'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'
import { type Database, openDatabase } from './database.js'
import { createReplica, listOf, memberOf, readAllThings, sendRequest, type Thing } from './thing-client.js'
import { createWriteHistory, type ItemState, type WriteHistory } from './write-history.js'
import { type IncrementCounts, incrementUntilKilled, writeUntilKilled } from './writers.js'

/** On PostgreSQL, every n-th round kills the database instead, and the service must reconnect. */
const databaseEvery = 4
/**
 * How often each engine's service is killed. `npm run soak` uses 200. Two rounds have each kind of write; PostgreSQL needs a round
 * more in which the database is killed.
 */
const roundsOf = (engine: EngineName): number =>
  Number(process.env['ROUNDS'] ?? (engine === 'postgres' ? databaseEvery : 2))
const spec = join(root, 'tests', 'crash', 'things.yaml')
/** The item that all clients increment. It is in no write history. */
const counter = 'counter'

afterAll(killAll)

describe.each(lastingEngineNames)('a service on %s that is killed at any moment', engine => {
  const rounds = roundsOf(engine)
  let database: Database
  const start = (): Promise<ServeProcess> =>
    startServe([spec, '--store', database.store, '--port', '0', '--log', 'json', '--data', 'none'])

  beforeAll(async () => {
    database = await openDatabase(engine)
  })
  afterAll(() => database.stop())

  it('keeps every acknowledged write, keeps no partial write, and reports each in its delta', async ({ annotate }) => {
    const ledger = createWriteHistory()
    const replica = createReplica()
    let counts = 0
    let service = await start()
    await sendRequest(`${service.url}/things`, 'POST', { id: counter, name: counter, note: counter })
    for (let round = 0; round < rounds; round++) {
      const counted: IncrementCounts = { acknowledged: 0, unanswered: 0 }
      const { url } = service
      const running = Promise.all([
        ...['a', 'b', 'c', 'd'].map(lane => writeUntilKilled(url, `${round}-${lane}`, ledger)),
        ...['x', 'y', 'z'].map(() => incrementUntilKilled(url, counter, counted)),
        followUntilKilled(url, replica.follow),
      ])
      // Alternately, so that even on a busy machine every other round has a write of each kind.
      const progress = round % 2 === 0 ? ledger.acknowledged : () => counted.acknowledged
      await Promise.race([running, aMomentAfter(progress)])
      const killed = service
      if (database.crash !== undefined && round % databaseEvery === databaseEvery - 1) await database.crash()
      else {
        await service.stop('SIGKILL')
        service = await start()
      }
      await running
      expect(killed.err()).not.toContain('"level":"error"')

      await healthy(service)
      const things = await readAllThings(service.url)
      expect(objections(ledger, things)).toEqual([])
      expect([...things.values()].filter(({ name, note }) => name !== note)).toEqual([])
      expect(await unfound(service.url, `${round}-`, things)).toEqual([])
      const count = things.get(counter)?.count ?? -1
      expect(count, 'counted up').toBeGreaterThanOrEqual(counts + counted.acknowledged)
      expect(count, 'counted up').toBeLessThanOrEqual(counts + counted.acknowledged + counted.unanswered)
      counts = count
      expect(await replica.follow(service.url)).toBe(true)
      expect(new Map([...replica.things].toSorted())).toEqual(new Map([...things].toSorted()))
      for (const id of ledger.ids()) ledger.confirm(id, stateOf(things.get(id)))
    }
    expect([...ledger.ids()].length).toBeGreaterThanOrEqual(Math.ceil(rounds / 2))
    expect(counts).toBeGreaterThanOrEqual(Math.floor(rounds / 2))
    const { code, err } = await service.stop()
    expect(code).toBe(0)
    expect(err).not.toContain('"level":"error"')
    const summary = `${rounds} rounds on ${engine}: ${ledger.acknowledged()} writes and ${counts} conditional ones`
    await annotate(`${summary} acknowledged, ${[...ledger.ids()].length} items`)
  })
})

/** Waits for the next acknowledged write, and then for a random time. */
async function aMomentAfter(acknowledged: () => number): Promise<void> {
  const before = acknowledged()
  while (acknowledged() === before) await delay(5)
  await delay(Math.random() * 300)
}

async function followUntilKilled(url: string, follow: (url: string) => Promise<boolean>): Promise<void> {
  while (await follow(url));
}

/** Items that exist but must not, and items that are missing. */
function objections(ledger: WriteHistory, things: ReadonlyMap<string, Thing>): readonly string[] {
  const known = new Set(ledger.ids())
  const strange = [...things.keys()].filter(id => id !== counter && !known.has(id))
  const wrong = [...known].flatMap(id => ledger.inconsistency(id, stateOf(things.get(id))) ?? [])
  return [...wrong, ...strange.map(id => `${id} was never asked for`)]
}

function stateOf(thing: Thing | undefined): ItemState {
  if (thing === undefined) return 'absent'
  return thing.name.startsWith('changed ') ? 'changed' : 'created'
}

/** The items of a round that a search for their words does not find. */
async function unfound(url: string, prefix: string, things: ReadonlyMap<string, Thing>): Promise<readonly string[]> {
  const missing: string[] = []
  for (const { id, name } of things.values()) {
    if (!id.startsWith(prefix)) continue
    const phrase = encodeURIComponent(`"${name.replaceAll('-', ' ')}"`)
    const answer = await sendRequest(`${url}/things?$search=${phrase}`, 'GET')
    const found = listOf(answer?.json, 'value').map(item => memberOf(item, 'id'))
    if (!found.includes(id)) missing.push(id)
  }
  return missing
}

/** Waits until a service whose database was killed responds again. */
async function healthy(service: ServeProcess): Promise<void> {
  const health = new URL('/healthz', service.url)
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(health).catch(() => undefined)
    if (answer?.status === 200) return
    await delay(50)
  }
  throw new Error(`The service did not come back.\n${service.err()}`)
}
