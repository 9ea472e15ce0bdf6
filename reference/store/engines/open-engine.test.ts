import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReferenceService } from '../../reference-service.js'
import { sampleService } from '../../testing/sample-service.js'
import { fileDrivers } from '../../testing/sqlite-drivers.js'
import type { Engine } from './engine.js'
import { openEngine } from './open-engine.js'

let folder: string
let engine: Engine
const file = (): string => join(folder, 'store.db')

const run = (text: string): Promise<unknown> =>
  engine.write(async session => await session.run(engine.compile(sql.raw(text))))
const all = (text: string): Promise<unknown> =>
  engine.read(async session => await session.all(engine.compile(sql.raw(text))))
const insert = (): Promise<unknown> => run(`INSERT INTO thing VALUES ('${'x'.repeat(100_000)}')`)

const changes: Readonly<Record<string, () => void>> = {
  removed: () => rmSync(file()),
  replaced: () => {
    writeFileSync(`${file()}.other`, '')
    renameSync(`${file()}.other`, file())
  },
}

describe.each(fileDrivers)('a file of SQLite, with %s,', driver => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'specwright-'))
    engine = await openEngine(`${driver}:${file()}`)
    await run('CREATE TABLE thing (text TEXT)')
    await expect(engine.check()).resolves.toBeUndefined()
  })
  afterEach(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  it.each(Object.entries(changes))('that was %s fails the check and every write', async (_, change) => {
    change()
    await expect(engine.check()).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(insert()).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(engine.maintain(async () => 1)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('on a full disk fails the check until there is space again', async () => {
    await run('PRAGMA max_page_count = 3')
    await expect(insert()).rejects.toMatchObject({ kind: 'full' })
    await run('PRAGMA max_page_count = 1000')
    await expect(engine.check()).resolves.toBeUndefined()
    await insert()
  })

  it('that is no database is refused, and left as it is', async () => {
    const other = join(folder, 'other.db')
    writeFileSync(other, 'no database'.repeat(100))
    const opening = openEngine(`${driver}:${other}`)
    await expect(opening).rejects.toMatchObject({ code: 'SQLITE_NOTADB' })
    expect(readdirSync(folder).filter(name => name.startsWith('other'))).toEqual(['other.db'])
  })

  it('with damaged pages fails the check from then on', async () => {
    await insert()
    await engine.maintain(async () => undefined)
    // The engine has read no page of the table yet.
    await engine.close()
    engine = await openEngine(`${driver}:${file()}`)
    writeFileSync(file(), Buffer.concat([readFileSync(file()).subarray(0, 4096), Buffer.alloc(120_000, 1)]))
    await expect(all('SELECT text FROM thing')).rejects.toMatchObject({ kind: 'damaged' })
    await expect(engine.check()).rejects.toMatchObject({ kind: 'damaged' })
  })
})

describe.each(fileDrivers)('a write to a file that is gone, with %s,', driver => {
  it('gets 503, and stores nothing', async () => {
    folder = mkdtempSync(join(tmpdir(), 'specwright-'))
    const path = join(folder, 'service.db')
    const service = await createReferenceService({ spec: sampleService(), store: `${driver}:${path}` })
    const create = async (id: string): Promise<number> => {
      const body = JSON.stringify({ id, name: 'n', tags: [], numbers: [], parts: [] })
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      return (await service.fetch(new Request(`http://service.test/v1/samples`, init))).status
    }
    expect(await create('a')).toBe(201)
    rmSync(path)
    expect(await create('b')).toBe(503)
    await expect(service.check()).rejects.toThrow()
    await service.close()
    rmSync(folder, { recursive: true })
  })
})

it.each([
  ['mysql://ann:secret@db/shop', "but found 'mysql:'."],
  ['shop.db', "but found 'shop.db'."],
])('the address %s is refused, without its password', async (address, words) => {
  const opening = openEngine(address)
  await expect(opening).rejects.toThrow(words)
  await expect(opening).rejects.not.toThrow('secret')
})
