import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from '../../../sql/dialects/dialect.js'
import type { Session, Sql } from '../../../sql/index.js'
import { sharingDrivers } from '../../testing/sqlite-drivers.js'
import type { Engine } from './engine.js'
import { openEngine } from './open-engine.js'
import { SqliteError, toStoreError } from './sqlite-drivers/driver.js'
import { createReadWriteLock } from './sqlite-group-commit.js'

let engine: Engine
beforeEach(async () => {
  engine = await openEngine('sqlite::memory:')
  await engine.write(async session => session.run(engine.compile(sql`CREATE TABLE t (a PRIMARY KEY)`)))
})
afterEach(() => engine.close())

const insert = (value: number): Promise<unknown> =>
  engine.write(async session => session.run(engine.compile(sql`INSERT INTO t VALUES (${value})`)))

async function values(): Promise<readonly unknown[]> {
  const rows = await engine.read(async session => session.all(engine.compile(sql`SELECT a FROM t ORDER BY a`)))
  return rows.map(([value]) => value)
}

it('a write that fails does not undo others in the same commit', async () => {
  const half = engine.write(async session => {
    await session.run(engine.compile(sql`INSERT INTO t VALUES (7)`))
    throw new RangeError('changed my mind')
  })
  const results = await Promise.allSettled([insert(1), insert(1), half, insert(2)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(await values()).toEqual([1, 2])
})

it('a duplicate value is reported with its column', async () => {
  await insert(1)
  const again = insert(1)
  await expect(again).rejects.toBeInstanceOf(StoreError)
  await expect(again).rejects.toMatchObject({ kind: 'unique', columns: ['a'] })
})

it('reads do not see an incomplete write', async () => {
  const writing = engine.write(async session => {
    await session.run(engine.compile(sql`INSERT INTO t VALUES (1)`))
    await new Promise(resolve => setImmediate(resolve))
    await session.run(engine.compile(sql`INSERT INTO t VALUES (2)`))
  })
  await new Promise(resolve => setImmediate(resolve))
  expect([[], [1, 2]]).toContainEqual(await values())
  await writing
  expect(await values()).toEqual([1, 2])
})

/** Work that runs until it is released. */
function held(): { readonly work: () => Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  return { work: () => released, release }
}

it('readers share the lock, a writer has it alone, in order of arrival', async () => {
  const lock = createReadWriteLock()
  const order: string[] = []
  const [first, second, writing] = [held(), held(), held()]
  const note = (name: string, work: () => Promise<void>) => async () => {
    order.push(`${name} in`)
    await work()
    order.push(`${name} out`)
  }
  const all = [
    lock.shared(note('r1', first.work)),
    lock.shared(note('r2', second.work)),
    lock.exclusive(note('w', writing.work)),
    lock.shared(note('r3', async () => undefined)),
  ]
  expect(order).toEqual(['r1 in', 'r2 in'])
  second.release()
  await all[1]
  first.release()
  await all[0]
  expect(order).toEqual(['r1 in', 'r2 in', 'r2 out', 'r1 out', 'w in'])
  writing.release()
  await Promise.all(all)
  expect(order.slice(5)).toEqual(['w out', 'r3 in', 'r3 out'])
})

it('work that fails releases the lock', async () => {
  const lock = createReadWriteLock()
  await expect(lock.exclusive(async () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError)
  expect(await lock.exclusive(async () => 1)).toBe(1)
})

describe('errors of SQLite', () => {
  it.each([
    ['SQLITE_CONSTRAINT_UNIQUE', 'UNIQUE constraint failed: group.mailNickname', 'unique'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'FOREIGN KEY constraint failed', 'reference'],
    ['SQLITE_BUSY_SNAPSHOT', 'database is locked', 'busy'],
    ['SQLITE_FULL', 'database or disk is full', 'full'],
    ['SQLITE_CORRUPT', 'database disk image is malformed', 'damaged'],
    ['SQLITE_IOERR_READ', 'disk I/O error', 'damaged'],
    ['SQLITE_CANTOPEN', 'unable to open database file', 'unavailable'],
    ['SQLITE_ERROR', 'Expression tree is too large (maximum depth 1000)', 'tooComplex'],
  ])('%s (%s) is: %s', (code, message, kind) => {
    expect(toStoreError(new SqliteError(code, message))).toMatchObject({ kind })
  })

  it('that callers cannot act on stay as they are', () => {
    const error = new SqliteError('SQLITE_MISUSE', 'bad parameter or other API misuse')
    expect(toStoreError(error)).toBe(error)
    expect(toStoreError('text')).toBe('text')
  })
})

describe.each(sharingDrivers)('while a long write is running, with %s,', driver => {
  it('others read what was committed before it, and see it when it is acknowledged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'specwright-long-write-'))
    const engine = await openEngine(`${driver}:${join(folder, 'store.db')}`)
    const run =
      (text: Sql) =>
      async (session: Session): Promise<unknown> =>
        session.run(engine.compile(text))
    const count = (): Promise<number> =>
      engine.read(async session => Number((await session.all(engine.compile(sql`SELECT count(*) FROM t`)))[0]?.[0]))
    await engine.write(run(sql`CREATE TABLE t (a)`))
    const seen: number[] = []
    let isDone = false
    const writing = engine
      .write(async session => {
        // Until others have had three turns.
        while (seen.length < 3) await run(sql`INSERT INTO t VALUES (1)`)(session)
      })
      .then(() => {
        isDone = true
      })
    await new Promise(resolve => setImmediate(resolve))
    while (!isDone) {
      seen.push(await count())
      await new Promise(resolve => setImmediate(resolve))
    }
    await writing
    expect(seen.slice(0, 3)).toEqual([0, 0, 0])
    expect(await count()).toBeGreaterThan(0)
    await engine.close()
    await rm(folder, { recursive: true })
  })
})
