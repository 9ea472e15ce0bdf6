import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { mintToken } from '../../reference/host/identity.js'
import { type PostgresServer, startPostgres } from '../../reference/testing/engines.js'
import { killAll } from '../serve/serve-process.js'
import { mountDisk, type SmallDisk } from './full-disk.js'
import { createOpenLoad, type LoadWindow, measureCeiling, type OpenLoad } from './load.js'
import { type MemorySample, memoryLevel } from './memory.js'
import { createSteppedClock, libfaketime, type SteppedClock } from './stepped-clock.js'
import { startTestedProcess, type TestedProcess } from './tested-process.js'

// A service on SQLite and one on PostgreSQL with a replica get 80 % of the requests that they can answer, for `SOAK_MINUTES`.
// Meanwhile they are restarted and killed, a disk is full, the clock steps, and the replica goes away.

const minutes = Number(process.env['SOAK_MINUTES'] ?? 2)
/** A short run has one event of each kind, and asserts nothing about the memory. */
const isShort = minutes < 30
const reportFile = process.env['SOAK_REPORT'] ?? join(tmpdir(), 'specwright-endurance.json')
const seed = Number(process.env['SEED'] ?? 1)
/** The share of the ceiling that is sent. */
const share = 0.8
/** The number of notes in each store. */
const level = 2_000
/** The requests in progress while the ceiling is measured. */
const lanes = 8
/** Seconds of the measurements before the run, of a window, between two samples of the memory, and that something is away. */
const ceilingSeconds = isShort ? 8 : 30
const windowSeconds = isShort ? 20 : 300
const sampleSeconds = isShort ? 2 : 10
const absence = isShort ? 5 : 75
/** The memory of the last quarter of the longest life, by that of the second, must be below. */
const maxGrowth = 1.2

const missing = [
  process.getuid?.() === 0 ? [] : 'root, to mount a file system',
  libfaketime === undefined ? 'libfaketime' : [],
  existsSync('/sbin/mkfs.ext4') ? [] : 'mkfs.ext4',
].flat()
const isRequired = process.env['ENDURANCE'] === 'required'
if (missing.length > 0) process.stderr.write(`The endurance test needs ${missing.join(', ')}.\n`)

const stops: (() => unknown)[] = []
afterAll(async () => {
  killAll()
  for (const stop of stops.toReversed()) {
    await Promise.resolve(stop()).catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  }
})

/** What fails around the services. */
interface Surroundings {
  readonly disk: SmallDisk
  readonly clock: SteppedClock
  readonly primary: PostgresServer
  readonly replica: PostgresServer
}

async function surround(): Promise<Surroundings> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-endurance-'))
  await chmod(folder, 0o755)
  stops.push(() => rm(folder, { recursive: true, force: true }))
  const disk = await mountDisk(folder, 700)
  stops.push(disk.remove)
  const clock = await createSteppedClock(libfaketime ?? '', join(folder, 'clock'))
  // The replica still finds what it missed.
  const primary = await startPostgres(['wal_keep_size=1GB', 'max_wal_size=512MB'])
  stops.push(primary.stop)
  const replica = await primary.replicate()
  stops.push(replica.stop)
  return { disk, clock, primary, replica }
}

/** Waits. @returns the seconds that it took, or that it did not happen */
async function until(condition: () => Promise<boolean>, seconds = 300): Promise<string> {
  const from = performance.now()
  while (!(await condition())) {
    if (performance.now() - from > seconds * 1000) return `not within ${seconds}`
    await delay(100)
  }
  return String(Math.round((performance.now() - from) / 100) / 10)
}

/** An event of the run. */
interface Event {
  /** Minutes after the start, of 120. */
  readonly at: number
  readonly name: string
  /** Whether a short run has it, too. */
  readonly isFirst?: boolean
  readonly run: () => Promise<string>
}

function planOf(sqlite: TestedProcess, postgres: TestedProcess, around: Surroundings): readonly Event[] {
  const { disk, clock, primary, replica } = around
  const becomes = (service: TestedProcess, health: string): Promise<string> =>
    until(async () => (await service.health()) === health)

  const restart = (signal: 'SIGTERM' | 'SIGKILL') => async (): Promise<string> => {
    const took: string[] = []
    for (const service of [sqlite, postgres]) {
      const from = performance.now()
      await service.restart(signal)
      await becomes(service, '200 ok')
      took.push(`${service.name} ${Math.round((performance.now() - from) / 100) / 10} s`)
    }
    return `healthy again after ${took.join(', ')}`
  }
  const fillDisk = (isKilled: boolean) => async (): Promise<string> => {
    const before = sqlite.refusedAsFull()
    await disk.fill()
    const noticed = await until(async () => sqlite.refusedAsFull() > before)
    await delay(absence * 1000)
    const during = `${await sqlite.health()}, ${sqlite.refusedAsFull() - before} requests refused`
    if (isKilled) await sqlite.restart('SIGKILL', disk.free)
    else await disk.free()
    return `refused after ${noticed} s; health ${during}; ok ${await becomes(sqlite, '200 ok')} s after there was space`
  }
  const step = (seconds: number) => async (): Promise<string> => {
    await clock.step(seconds)
    await delay(5_000)
    return ''
  }
  const away = async (end: () => Promise<() => Promise<void> | void>): Promise<string> => {
    const comeBack = await end()
    const noticed = await becomes(postgres, '200 degraded')
    await delay(absence * 1000)
    const during = await postgres.health()
    await comeBack()
    return `degraded after ${noticed} s; health ${during}; ok ${await becomes(postgres, '200 ok')} s after it came back`
  }
  const stopReplica = (): Promise<string> => away(replica.freeze)
  const killReplica = (): Promise<string> =>
    away(async () => {
      await replica.kill()
      return replica.restart
    })
  const killPrimary = async (): Promise<string> => {
    await primary.crash()
    return `ok ${await becomes(postgres, '200 ok')} s after its restart`
  }
  const hour = 3600
  return [
    { at: 4, name: 'SIGTERM', run: restart('SIGTERM'), isFirst: true },
    { at: 8, name: 'disk full', run: fillDisk(false), isFirst: true },
    { at: 12, name: 'clock 5 minutes ahead', run: step(300), isFirst: true },
    { at: 15, name: 'clock one hour behind', run: step(-hour), isFirst: true },
    { at: 18, name: 'clock right', run: step(0), isFirst: true },
    { at: 20, name: 'replica stopped', run: stopReplica, isFirst: true },
    { at: 24, name: 'replica killed', run: killReplica, isFirst: true },
    { at: 28, name: 'SIGKILL', run: restart('SIGKILL'), isFirst: true },
    { at: 31, name: 'SIGTERM', run: restart('SIGTERM') },
    { at: 34, name: 'SIGKILL', run: restart('SIGKILL') },
    // Now an hour without a restart, for the level of the memory.
    { at: 44, name: 'disk full', run: fillDisk(false) },
    { at: 50, name: 'clock 3 hours ahead', run: step(3 * hour) },
    { at: 54, name: 'clock 2 hours behind', run: step(-2 * hour) },
    { at: 58, name: 'clock right', run: step(0) },
    { at: 62, name: 'replica stopped', run: stopReplica },
    { at: 68, name: 'replica killed', run: killReplica },
    { at: 74, name: 'disk full', run: fillDisk(false) },
    { at: 79, name: 'clock half a minute ahead', run: step(30) },
    { at: 81, name: 'clock ten minutes behind', run: step(-600) },
    { at: 83, name: 'clock a day ahead', run: step(24 * hour) },
    { at: 86, name: 'clock right', run: step(0) },
    { at: 90, name: 'replica stopped', run: stopReplica },
    { at: 95, name: 'replica killed', run: killReplica },
    { at: 100, name: 'SIGKILL', run: restart('SIGKILL') },
    { at: 103, name: 'clock one hour ahead', run: step(hour) },
    { at: 104, name: 'SIGTERM', run: restart('SIGTERM') },
    { at: 107, name: 'clock right', run: step(0) },
    { at: 109, name: 'disk full, SIGKILL', run: fillDisk(true) },
    { at: 114, name: 'primary killed', run: killPrimary, isFirst: true },
    { at: 117, name: 'SIGKILL', run: restart('SIGKILL') },
  ]
}

/** A service and the load on it. */
interface Loaded {
  readonly service: TestedProcess
  readonly ceiling: number
  readonly load: OpenLoad
  readonly windows: LoadWindow[]
  readonly samples: MemorySample[]
  readonly healths: { readonly at: number; readonly health: string }[]
}

describe.runIf(isRequired || missing.length === 0)(
  `a service for ${minutes} minutes at ${share * 100} % of its ceiling`,
  () => {
    it('loses nothing and keeps its memory, whatever fails around it', async () => {
      const around = await surround()
      const { disk, clock, primary, replica } = around
      const secret = 'a secret of the endurance test, 32 bytes'
      const token = await mintToken({ id: 'tester', scopes: [] }, secret, 30 * 24 * 3600, Date.now())
      const start = (name: string, ...args: readonly string[]): Promise<TestedProcess> =>
        startTestedProcess(name, { args, secret, token, clock, level, seed })
      const sqlite = await start('SQLite', '--store', `sqlite:${join(disk.folder, 'notes.db')}`)
      const postgres = await start('PostgreSQL', '--store', primary.address, '--read-store', replica.address)
      const services = [sqlite, postgres]
      for (const { workload } of services) await workload.fill()

      const measure = (seconds: number): Promise<readonly number[]> =>
        Promise.all(services.map(({ workload }) => measureCeiling(workload.step, lanes, seconds)))
      await measure(ceilingSeconds / 3)
      const ceilings = await measure(ceilingSeconds)
      const loaded = services.map((service, index): Loaded => {
        const ceiling = ceilings[index] ?? 0
        const load = createOpenLoad(service.workload.step, ceiling * share)
        stops.push(load.stop)
        return { service, ceiling, load, windows: [], samples: [], healths: [] }
      })

      const begun = performance.now()
      const elapsed = (): number => (performance.now() - begun) / 1000
      const events: {
        readonly at: number
        readonly seconds: number
        readonly name: string
        readonly result: string
      }[] = []
      const verifications: unknown[] = []
      let isOver = false
      const writeReport = (): Promise<void> => {
        const of = (value: (each: Loaded) => unknown): unknown =>
          Object.fromEntries(loaded.map(each => [each.service.name, value(each)]))
        const content = {
          started: new Date(Date.now() - elapsed() * 1000).toISOString(),
          minutes: Math.round(elapsed() / 6) / 10,
          ceilings: of(({ ceiling }) => Math.round(ceiling)),
          acknowledgedWrites: of(({ service }) => service.workload.acknowledged()),
          windows: of(({ windows }) => windows),
          memory: of(({ samples }) => memoryLevel(samples)),
          healths: of(({ healths }) => healths),
          events,
          verifications,
          errors: of(({ service }) => service.errors),
          faults: of(({ service }) => service.workload.faults),
          samples: of(({ samples }) => samples),
        }
        return writeFile(reportFile, JSON.stringify(content, null, 1))
      }
      const verify = async (after: string): Promise<void> => {
        for (const { service, load } of loaded) {
          await load.pause()
          const found = await service.workload.verify()
          verifications.push({ at: Math.round(elapsed()), after, name: service.name, ...found })
          load.resume()
        }
        await writeReport()
      }
      const sample = async (): Promise<void> => {
        for (let second = 0; !isOver; second++) {
          for (const { service, samples, healths } of loaded) {
            const at = Math.round(elapsed())
            const health = await service.health()
            if (healths.at(-1)?.health !== health) healths.push({ at, health })
            const memory = second % sampleSeconds === 0 ? await service.memory().catch(() => undefined) : undefined
            if (memory !== undefined) samples.push({ at, ...memory })
          }
          await delay(1_000)
        }
      }
      const divide = async (): Promise<void> => {
        for (let end = windowSeconds; !isOver; end += windowSeconds) {
          while (!isOver && elapsed() < end) await delay(200)
          for (const { windows, load } of loaded) windows.push(load.take())
          await writeReport()
        }
      }
      for (const { load } of loaded) load.resume()
      const watching = Promise.all([sample(), divide()])
      for (const { at, name, run } of planOf(sqlite, postgres, around).filter(({ isFirst }) => isFirst || !isShort)) {
        while (elapsed() < (at / 120) * minutes * 60) await delay(100)
        const from = elapsed()
        const result = await run()
        events.push({ at: Math.round(from), seconds: Math.round(elapsed() - from), name, result })
        await verify(name)
      }
      while (elapsed() < minutes * 60) await delay(100)
      await verify('the end')
      for (const { load } of loaded) await load.stop()
      isOver = true
      await watching
      for (const service of services) await service.stop()
      await writeReport()

      for (const { service, samples } of loaded) {
        expect(service.workload.faults).toEqual([])
        expect(service.errors).toEqual([])
        expect(memoryLevel(samples).longestLife.growth).toBeLessThan(isShort ? Number.POSITIVE_INFINITY : maxGrowth)
      }
      expect(events.filter(({ result }) => result.includes('not within'))).toEqual([])
    })
  },
)
