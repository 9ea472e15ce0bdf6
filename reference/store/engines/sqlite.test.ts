import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from './engine.js'
import { openSqlite } from './sqlite.js'
import { SqliteDriver } from './sqlite-driver.js'

let folder: string
let engine: Engine
const file = (): string => join(folder, 'store.db')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specwright-'))
  engine = openSqlite(file())
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const load = (rows: number): Promise<void> =>
  engine.maintain(async session => {
    await session.run(engine.compile(sql`CREATE TABLE IF NOT EXISTS thing (text TEXT)`))
    for (let row = 0; row < rows; row++) {
      await session.run(engine.compile(sql`INSERT INTO thing VALUES (${sql.lit('x'.repeat(1000))})`))
    }
  })

describe('data loaded into a file', () => {
  it('is in the file and no longer in the log', async () => {
    await load(500)
    expect(statSync(`${file()}-wal`).size).toBe(0)
    expect(statSync(file()).size).toBeGreaterThan(500_000)
  })

  it('is stored while another process is reading', async () => {
    await load(1)
    const other = new SqliteDriver(file(), { readonly: true })
    other.exec('BEGIN')
    expect(other.prepare('SELECT count(*) FROM thing').pluck().get()).toBe(1)
    await load(500)
    expect(statSync(`${file()}-wal`).size).toBeGreaterThan(500_000)
    other.exec('COMMIT')
    expect(other.prepare('SELECT count(*) FROM thing').pluck().get()).toBe(501)
    other.close()
    await load(1)
    expect(statSync(`${file()}-wal`).size).toBe(0)
  })

  it('is stored if the engine is closed meanwhile', async () => {
    await load(1)
    let closing: Promise<void> | undefined
    await engine.maintain(async session => {
      closing = engine.close()
      await session.run(engine.compile(sql`INSERT INTO thing VALUES ('y')`))
    })
    await closing
    engine = openSqlite(file())
    const rows = engine.compile(sql`SELECT count(*) FROM thing`)
    expect(await engine.read(async session => session.all(rows))).toEqual([[2]])
  })
})
