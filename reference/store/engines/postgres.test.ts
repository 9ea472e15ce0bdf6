import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../../sql/dialects/dialect.js'
import { engineNames, type StoreMaker, storeMaker } from '../../testing/engines.js'
import type { Engine } from './engine.js'
import { openEngine } from './open-engine.js'

/** All characters with a letter case, each between digits. */
const characters: readonly string[] = Array.from({ length: 0x2_00_00 }, (_, code) => code)
  .filter(code => code < 0xd800 || code > 0xdfff)
  .map(code => String.fromCodePoint(code))
  .filter(character => character.toLowerCase() !== character || character.toUpperCase() !== character)

describe.each(engineNames)('letter case on %s', name => {
  let maker: StoreMaker
  let engine: Engine
  beforeAll(async () => {
    maker = await storeMaker(name)
    engine = await openEngine(await maker.make())
  })
  afterAll(async () => {
    await engine.close()
    await maker.stop()
  })

  const folded = async (fold: (text: Sql) => Sql, text: string): Promise<unknown> => {
    const statement = engine.compile(sql`SELECT ${fold(engine.dialect.bind(text, 'text'))}`)
    const [row] = await engine.read(async session => session.all(statement))
    return row?.[0]
  }

  it.each<[text: string]>([
    [characters.join('1')],
    ['ASCII only, and 123'],
    ['Ünïcode of ÉVERYDAY letters ß'],
    ['ΌΔΟΣ 😀'],
    [''],
  ])('is that of JavaScript', async text => {
    expect(await folded(engine.dialect.lower, text)).toBe(text.toLowerCase())
    expect(await folded(engine.dialect.upper, text)).toBe(text.toUpperCase())
  })
})

describe('a full disk of PostgreSQL', () => {
  let maker: StoreMaker
  let engine: Engine
  let administrator: Engine
  const run = (on: Engine, text: string): Promise<void> =>
    on.write(async session => {
      await session.run({ sql: text, parameters: [] })
    })
  const full = `DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`
  /** Whether files can grow. */
  const setSpace = (isThere: boolean): Promise<void> =>
    run(administrator, `ALTER EVENT TRIGGER refuse ${isThere ? 'DISABLE' : 'ENABLE'}`)

  beforeAll(async () => {
    maker = await storeMaker('postgres')
    const address = await maker.make()
    engine = await openEngine(address)
    administrator = await openEngine(address)
    await run(
      administrator,
      `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    )
    await run(
      administrator,
      `CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION refuse()`,
    )
  })
  afterAll(async () => {
    await engine.close()
    await administrator.close()
    await maker.stop()
  })

  it('fails the check until a file can grow again', async () => {
    await expect(engine.check()).resolves.toBeUndefined()
    await expect(run(engine, full)).rejects.toMatchObject({ kind: 'full' })
    await expect(engine.check()).rejects.toMatchObject({ kind: 'full' })
    await expect(engine.check()).rejects.toMatchObject({ kind: 'full' })
    await setSpace(true)
    await expect(engine.check()).resolves.toBeUndefined()
  })

  it('fails the check until a write succeeds', async () => {
    await setSpace(false)
    await expect(run(engine, full)).rejects.toMatchObject({ kind: 'full' })
    await run(engine, 'SELECT 1')
    await expect(engine.check()).resolves.toBeUndefined()
  })
})
