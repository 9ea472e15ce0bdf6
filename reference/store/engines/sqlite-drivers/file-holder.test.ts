import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDrivers, openFile, sharingDrivers } from '../../../testing/sqlite-drivers.js'
import { DriverError } from '../engine.js'
import { openEngine } from '../open-engine.js'
import { holdFile, requireUnheldFile } from './file-holder.js'

let folder: string
const file = (): string => join(folder, 'store.db')
const held = (): string => `${file()}-shm`
/** A number that no process has: the largest on Linux is 2^22. */
const noProcess = 2 ** 22 + 1

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specwright-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a file held by a connection without file locks', () => {
  it('refuses a second one and names the process, until the first is closed', () => {
    const first = holdFile(file())
    expect(() => holdFile(file())).toThrow(DriverError)
    expect(() => holdFile(file())).toThrow(`The process ${process.pid} has ${file()} open`)
    expect(() => requireUnheldFile(file())).toThrow(`remove the folder ${held()}`)
    first.release()
    expect(readdirSync(folder)).toEqual([])
    holdFile(file()).release()
  })

  it('is the same file by its symbolic link', () => {
    writeFileSync(file(), '')
    const link = join(folder, 'link.db')
    symlinkSync(file(), link)
    const first = holdFile(file())
    expect(() => holdFile(link)).toThrow(DriverError)
    first.release()
  })

  it.each([
    ['that is gone', `${noProcess}.x.${hostname()}.0.1`],
    ['whose number has another process now', `${process.pid}.another-start.${hostname()}.0.1`],
  ])('is taken over from a process %s', (_, name) => {
    mkdirSync(held())
    writeFileSync(join(held(), name), '')
    const holder = holdFile(file())
    expect(readdirSync(held())).not.toContain(name)
    holder.release()
    mkdirSync(held())
    writeFileSync(join(held(), name), '')
    requireUnheldFile(file())
    expect(existsSync(held())).toBe(false)
  })

  it('is not taken from another host, where nobody knows the process', () => {
    mkdirSync(held())
    writeFileSync(join(held(), `${noProcess}.x.elsewhere.0.1`), '')
    expect(() => holdFile(file())).toThrow(`The process ${noProcess} on the host elsewhere has`)
  })

  it('is refused beside the shared memory of native code', () => {
    writeFileSync(held(), '')
    expect(() => holdFile(file())).toThrow('another program has')
    expect(readdirSync(folder)).toEqual(['store.db-shm'])
  })

  it('can be read by native code, and neither changed nor robbed of its log', () => {
    const [native] = sharingDrivers
    if (native === undefined) return
    const holder = openFile(`sqlite-wasm:${file()}`)
    holder.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    const other = openFile(`${native}:${file()}`)
    expect(other.prepare('SELECT a FROM t').all([])).toEqual([[1]])
    expect(() => other.exec('INSERT INTO t VALUES (2)')).toThrow(expect.objectContaining({ code: 'SQLITE_READONLY' }))
    other.close()
    holder.exec('INSERT INTO t VALUES (3)')
    expect(holder.prepare('SELECT a FROM t').all([])).toEqual([[1], [3]])
    holder.close()
  })
})

describe('an engine', () => {
  it.each(fileDrivers)('with %s refuses a file that SQLite as WebAssembly has open', async driver => {
    const first = await openEngine(`sqlite-wasm:${file()}`)
    await expect(openEngine(`${driver}:${file()}`)).rejects.toThrow(`The process ${process.pid} has`)
    await first.close()
    await (await openEngine(`${driver}:${file()}`)).close()
  })
})

/** Each driver writes, and each one reads. */
const pairs = fileDrivers.flatMap(writer => fileDrivers.map(reader => [writer, reader] as const))

describe.each(pairs)('a file that %s wrote', (writer, reader) => {
  it(`is read by ${reader}, after it was closed and after a crash`, () => {
    const written = openFile(`${writer}:${file()}`)
    written.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    written.exec('PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (2); BEGIN; INSERT INTO t VALUES (3)')
    // What a crash leaves: the file and its log, with no end of the transaction.
    const copy = join(folder, 'copy.db')
    for (const part of ['', '-wal']) cpSync(`${file()}${part}`, `${copy}${part}`)
    written.exec('COMMIT')
    written.close()
    const rows = (path: string): unknown => {
      const connection = openFile(`${reader}:${path}`)
      const found = connection.prepare('SELECT a, (SELECT page_size FROM pragma_page_size) FROM t ORDER BY a').all([])
      connection.exec('INSERT INTO t VALUES (9)')
      connection.close()
      return found
    }
    expect(rows(file())).toEqual([
      [1, 4096],
      [2, 4096],
      [3, 4096],
    ])
    expect(rows(copy)).toEqual([
      [1, 4096],
      [2, 4096],
    ])
    expect(readdirSync(folder).filter(name => name.endsWith('-shm'))).toEqual([])
  })
})
