import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sqliteDrivers } from '../../../testing/sqlite-drivers.js'
import { openEngine } from '../open-engine.js'
import { chooseSqliteDriver, runsOn } from './choose-driver.js'
import { resultCodeName } from './driver.js'
import { loadSqliteWasm } from './sqlite-wasm.js'

describe('a driver of SQLite', () => {
  it('is there on every Node.js, with nothing to compile', () => {
    expect(sqliteDrivers.map(({ name }) => name)).toContain('sqlite-wasm')
  })

  it('is chosen for speed: the first one that is there', async () => {
    expect((await chooseSqliteDriver()).name).toBe(sqliteDrivers[0]?.name)
  })

  it('keeps its data in memory where there are no files, as in a browser', async () => {
    const { open } = await loadSqliteWasm()
    expect(() => open('store.db')).toThrow('There are no files here. Use :memory:.')
    expect(open(':memory:').prepare('SELECT 1').all([])).toEqual([[1]])
  })

  it.each([
    ['12.11.1', '20.20.2', true],
    ['12.11.1', '24.18.0', true],
    ['12.11.1', '24.19.0', false],
    ['12.11.1', '26.0.0', false],
    ['13.2.0', '20.20.2', false],
    ['13.2.0', '22.0.0', true],
    ['13.2.0', '24.21.0', true],
  ])('better-sqlite3 %s on Node.js %s: %s', (version, node, expected) => {
    expect(runsOn(version, node)).toBe(expected)
  })
})

describe.each(sqliteDrivers)('$name', ({ name, open }) => {
  it('keeps the types and all digits of arguments and results of functions', () => {
    const database = open(':memory:')
    const seen: unknown[] = []
    database.addFunction('echo', value => {
      seen.push(value)
      return value
    })
    const values = ['1', '9007199254740993', '1.0', "'\u00e9\u{1f600}'", "''", 'NULL', '-9223372036854775808']
    const query = values.map(value => `typeof(echo(${value})), echo(${value}) IS ${value}`).join(', ')
    const [row] = database.prepare(`SELECT ${query}`).all([])
    const types = ['integer', 'integer', 'real', 'text', 'text', 'null', 'integer']
    expect(row).toEqual(types.flatMap(type => [type, 1]))
    const arguments_ = [1n, 9007199254740993n, 1, '\u00e9\u{1f600}', '', null, -(2n ** 63n)]
    expect(new Set(seen)).toEqual(new Set(arguments_))
    database.close()
    expect(database.isOpen()).toBe(false)
  })

  it('binds numbers as floating-point numbers and bigints as integers, and texts with any character', () => {
    const database = open(':memory:')
    const text = 'a\0b\ufeff\u{1f600}'
    const query = database.prepare('SELECT typeof(?), typeof(?), ?, length(CAST(? AS BLOB)), typeof(?)')
    expect(query.all([1, 1n, text, text, null])).toEqual([['real', 'integer', text, 10, 'null']])
    database.close()
  })

  it('rethrows what a function throws, and reports errors of SQLite with their code', () => {
    const database = open(':memory:')
    const thrown = new RangeError('of a function')
    database.addFunction('fail', () => {
      throw thrown
    })
    expect(() => database.prepare('SELECT fail()').all([])).toThrow(thrown)
    expect(database.prepare('SELECT 1').all([])).toEqual([[1]])
    database.exec('CREATE TABLE t (a PRIMARY KEY, b UNIQUE); INSERT INTO t VALUES (1, 1)')
    const insert = database.prepare('INSERT INTO t VALUES (?, ?)')
    expect(insert.run([2, 2])).toBe(1)
    expect(() => insert.run([3, 2])).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }))
    expect(() => insert.run([2, 3])).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }))
    expect(() => database.exec('SELEC')).toThrow(expect.objectContaining({ code: 'SQLITE_ERROR' }))
    database.close()
  })

  it('knows whether a transaction runs', () => {
    const database = open(':memory:')
    expect(database.inTransaction()).toBe(false)
    database.exec('BEGIN')
    expect(database.inTransaction()).toBe(true)
    database.exec('ROLLBACK')
    expect(database.inTransaction()).toBe(false)
    database.close()
  })

  it('is the driver of an engine whose address names it', async () => {
    const engine = await openEngine(`${name}::memory:`)
    const lower = engine.compile(sql`SELECT unicode_lower('\u00c4')`)
    expect(await engine.read(async session => session.all(lower))).toEqual([['\u00e4']])
    await engine.close()
  })
})

describe('the name of a result code', () => {
  it.each([
    [5, 'SQLITE_BUSY'],
    [261, 'SQLITE_BUSY'],
    [13, 'SQLITE_FULL'],
    [14, 'SQLITE_CANTOPEN'],
    [1032, 'SQLITE_READONLY'],
    [2067, 'SQLITE_CONSTRAINT_UNIQUE'],
    [787, 'SQLITE_CONSTRAINT_FOREIGNKEY'],
    [26, 'SQLITE_NOTADB'],
  ])('%i is %s', (code, name) => {
    expect(resultCodeName(code)).toBe(name)
  })
})
