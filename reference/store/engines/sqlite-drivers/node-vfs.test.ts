import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFile } from '../../../testing/sqlite-drivers.js'
import type { SqliteConnection } from './driver.js'

let folder: string
const file = (name = 'store.db'): string => join(folder, name)
const open = (path = file()): SqliteConnection => {
  const database = openFile(`sqlite-wasm:${path}`)
  database.exec('PRAGMA journal_mode = WAL')
  return database
}
const valuesIn = (database: SqliteConnection): unknown => database.prepare('SELECT a FROM t ORDER BY a').all([])

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specwright-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a file of SQLite as WebAssembly', () => {
  it('recovers the commits whose log is complete, wherever the log is torn', () => {
    const database = open()
    database.exec('CREATE TABLE t (a); PRAGMA wal_checkpoint(TRUNCATE)')
    const lengths = Array.from({ length: 20 }, (_, index) => {
      database.exec(`INSERT INTO t VALUES (${index})`)
      return statSync(file('store.db-wal')).size
    })
    const log = readFileSync(file('store.db-wal'))
    const end = lengths.at(-1) ?? 0
    for (let torn = 0; torn <= end; torn += 1_537) {
      cpSync(file(), file('copy.db'))
      writeFileSync(file('copy.db-wal'), log.subarray(0, torn))
      const copy = open(file('copy.db'))
      const complete = lengths.filter(length => length <= torn).length
      expect(valuesIn(copy)).toEqual(Array.from({ length: complete }, (_, index) => [index]))
      copy.close()
    }
    database.close()
    expect(readdirSync(folder).toSorted()).toEqual(['copy.db', 'store.db'])
  })

  it('rolls back what a journal holds', () => {
    const database = openFile(`sqlite-wasm:${file()}`)
    database.exec('PRAGMA cache_size = 2; CREATE TABLE t (a, b); INSERT INTO t VALUES (1, zeroblob(100000))')
    // More pages than the cache holds: some are written before the commit.
    database.exec('BEGIN; UPDATE t SET a = 2, b = randomblob(100000); INSERT INTO t VALUES (3, randomblob(100000))')
    for (const part of ['', '-journal']) cpSync(`${file()}${part}`, `${file('copy.db')}${part}`)
    const copy = openFile(`sqlite-wasm:${file('copy.db')}`)
    expect(copy.prepare('SELECT a, length(b) FROM t').all([])).toEqual([[1, 100_000]])
    copy.close()
    database.exec('ROLLBACK')
    expect(valuesIn(database)).toEqual([[1]])
    database.close()
  })

  it('refuses a write once another program has removed the log', () => {
    const database = open()
    database.exec('CREATE TABLE t (a)')
    rmSync(file('store.db-wal'))
    expect(() => database.exec('INSERT INTO t VALUES (1)')).toThrow(expect.objectContaining({ code: 'SQLITE_IOERR' }))
    expect(() => database.close()).not.toThrow()
  })

  it('gives its log its own permissions', () => {
    writeFileSync(file(), '')
    chmodSync(file(), 0o600)
    const database = open()
    database.exec('CREATE TABLE t (a)')
    expect(statSync(file('store.db-wal')).mode & 0o777).toBe(0o600)
    database.close()
  })

  it.each([
    ['a folder', (path: string) => path],
    ['in a folder that does not exist', (path: string) => join(path, 'nowhere', 'store.db')],
    ['with a path that is too long', (path: string) => join(path, ...Array(10).fill('x'.repeat(120)))],
  ])('cannot be %s', (_, pathIn) => {
    expect(() => openFile(`sqlite-wasm:${pathIn(folder)}`)).toThrow()
    expect(readdirSync(folder)).toEqual([])
  })

  it('copies itself, sorts more than fits in memory, and shrinks', () => {
    const database = open()
    database.exec('CREATE TABLE t (a); PRAGMA temp_store = FILE; PRAGMA cache_size = 2')
    database.exec(
      `INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       SELECT i FROM n ORDER BY hex(randomblob(200))`,
    )
    expect(database.prepare('SELECT count(DISTINCT a) FROM t').all([])).toEqual([[3000]])
    database.exec(`VACUUM INTO '${file('copy.db')}'; DELETE FROM t WHERE a > 1; VACUUM`)
    database.close()
    const copy = open(file('copy.db'))
    expect(copy.prepare('SELECT count(*) FROM t').all([])).toEqual([[3000]])
    copy.close()
    expect(statSync(file()).size).toBeLessThan(statSync(file('copy.db')).size)
  })
})
