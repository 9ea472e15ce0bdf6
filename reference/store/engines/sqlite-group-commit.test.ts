import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreError } from '../../../sql/dialects/dialect.js'
import type { Engine } from './engine.js'
import { openEngine } from './open-engine.js'

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
