import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDrivers, openFile, sharingDrivers } from '../../testing/sqlite-drivers.js'
import type { Engine } from './engine.js'
import { openEngine } from './open-engine.js'

let folder: string
let engine: Engine
const file = (): string => join(folder, 'store.db')

const load = (rows: number): Promise<void> =>
  engine.maintain(async session => {
    await session.run(engine.compile(sql`CREATE TABLE IF NOT EXISTS thing (text TEXT)`))
    for (let row = 0; row < rows; row++) {
      await session.run(engine.compile(sql`INSERT INTO thing VALUES (${sql.lit('x'.repeat(1000))})`))
    }
  })

describe.each(fileDrivers)('data loaded into a file, by %s,', driver => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'specwright-'))
    engine = await openEngine(`${driver}:${file()}`)
  })
  afterEach(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  it('is in the file and no longer in the log', async () => {
    await load(500)
    expect(statSync(`${file()}-wal`).size).toBe(0)
    expect(statSync(file()).size).toBeGreaterThan(500_000)
  })

  it.runIf(sharingDrivers.includes(driver))('is stored while another process is reading', async () => {
    await load(1)
    const other = openFile(`${driver}:${file()}`)
    other.exec('BEGIN')
    expect(other.prepare('SELECT count(*) FROM thing').all([])).toEqual([[1]])
    await load(500)
    expect(statSync(`${file()}-wal`).size).toBeGreaterThan(500_000)
    other.exec('COMMIT')
    expect(other.prepare('SELECT count(*) FROM thing').all([])).toEqual([[501]])
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
    engine = await openEngine(`${driver}:${file()}`)
    const rows = engine.compile(sql`SELECT count(*) FROM thing`)
    expect(await engine.read(async session => session.all(rows))).toEqual([[2]])
  })
})

it('a file in a folder that does not exist is refused, whatever the driver', async () => {
  const opening = openEngine(`sqlite:${join(tmpdir(), 'specwright-nowhere', 'store.db')}`)
  await expect(opening).rejects.toThrow('does not exist. Create it first.')
})
