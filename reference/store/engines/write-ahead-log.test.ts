import { symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sharingDrivers } from '../../testing/sqlite-drivers.js'
import { openEngine } from './open-engine.js'
import { openWriteAheadLog } from './write-ahead-log.js'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specwright-log-'))
  file = join(folder, 'store.db')
})
afterEach(() => rm(folder, { recursive: true }))

it('what was committed before is on the disk after a call, also if others run', async () => {
  await writeFile(`${file}-wal`, 'log')
  const log = openWriteAheadLog(file, 'better-sqlite3')
  await Promise.all(Array.from({ length: 20 }, () => log.sync()))
  await log.close()
})

it('a log that cannot be opened fails the writes, and later ones try again', async () => {
  const log = openWriteAheadLog(file, 'better-sqlite3')
  await mkdir(`${file}-wal`)
  await expect(log.sync()).rejects.toMatchObject({ kind: 'unavailable' })
  await rm(`${file}-wal`, { recursive: true })
  await writeFile(`${file}-wal`, 'log')
  await expect(log.sync()).resolves.toBeUndefined()
  await log.close()
})

it.skipIf(process.platform !== 'linux')(
  'after a disk did not keep the log, no later write is acknowledged',
  async () => {
    // A device that cannot be synchronised.
    symlinkSync('/dev/null', `${file}-wal`)
    const log = openWriteAheadLog(file, 'better-sqlite3')
    for (let count = 0; count < 3; count++) await expect(log.sync()).rejects.toMatchObject({ kind: 'damaged' })
    await log.close()
  },
)

/** A thread that has always moved the log. */
const thread = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', () => parentPort.postMessage('done'))`

it('a thread moves the log, and then the rest is short, until it is asked for', async () => {
  await writeFile(`${file}-wal`, 'log')
  const log = openWriteAheadLog(file, 'better-sqlite3', new URL(`data:text/javascript,${encodeURIComponent(thread)}`))
  expect(log.hasShortRest()).toBe(false)
  // On a busy machine, the disk can look slow for a while. Then the main thread leaves the log alone.
  do {
    await log.sync()
    log.note(8 * 1024 * 1024)
    await setTimeout(5)
  } while (!log.hasShortRest())
  expect(log.hasShortRest()).toBe(false)
  await log.close()
})

it.skipIf(sharingDrivers.length === 0)('many writes in a file at once are all acknowledged and kept', async () => {
  const open = () => openEngine(`${sharingDrivers[0]}:${file}`)
  const engine = await open()
  await engine.maintain(async session => session.run(engine.compile(sql`CREATE TABLE t (a PRIMARY KEY)`)))
  const numbers = Array.from({ length: 150 }, (_, number) => number)
  await Promise.all(
    numbers.map(number =>
      engine.write(async session => session.run(engine.compile(sql`INSERT INTO t VALUES (${number})`))),
    ),
  )
  await engine.close()
  const again = await open()
  const rows = await again.read(async session => session.all(again.compile(sql`SELECT count(*) FROM t`)))
  expect(rows).toEqual([[150]])
  await again.close()
})
