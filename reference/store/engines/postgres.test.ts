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
