import { setTimeout } from 'node:timers/promises'
import BetterSqlite, { type Database, type Statement as Prepared } from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { sqliteDialect } from '../dialect/sqlite-dialect.js'
import type { Engine, Session } from './engine.js'
import { createGate } from './gate.js'
import type { SqlRow } from './sql-value.js'
import { addSqliteFunctions } from './sqlite-functions.js'
import { asParameters, parametersOf } from './statement.js'
import { StoreError } from './store-error.js'

/** Statements that stay prepared. */
const maxPrepared = 500

/** How long a writer of another process is waited for, in milliseconds. */
const busyTimeout = 10_000

/** Between two attempts to become the writer, in milliseconds. */
const longestPause = 50

/**
 * Opens an SQLite database, `:memory:` or a file, with a write-ahead log that is synchronised at each commit: what was
 * acknowledged survives the process and the machine.
 */
export function openSqlite(file: string): Engine {
  const database = new BetterSqlite(file, { timeout: busyTimeout })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  addSqliteFunctions(database)
  const session = sessionOf(database)
  const gate = createGate()
  const compiler = new Kysely<object>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return {
    dialect: sqliteDialect,
    compile: fragment => {
      const { sql, parameters } = fragment.compile(compiler)
      return { sql, parameters: asParameters(parameters) }
    },
    read: work => gate.shared(() => work(session)),
    write: work => gate.exclusive(() => inTransaction(database, () => work(session))),
    close: () =>
      gate.exclusive(async () => {
        database.close()
      }),
  }
}

async function inTransaction<Value>(database: Database, work: () => Promise<Value>): Promise<Value> {
  await begin(database)
  try {
    const value = await work()
    translated(() => database.exec('COMMIT'))
    return value
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Waits for writers of other connections without holding up this process, in which they may be: SQLite's own way of waiting
 * would.
 */
async function begin(database: Database): Promise<void> {
  const deadline = Date.now() + busyTimeout
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      database.exec('PRAGMA busy_timeout = 0')
      database.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      const problem = problemOf(error)
      if (!(problem instanceof StoreError) || problem.problem !== 'busy' || Date.now() > deadline) throw problem
      await setTimeout(pause)
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    }
  }
}

function sessionOf(database: Database): Session {
  const prepared = new Map<string, Prepared<unknown[], unknown>>()
  const prepare = (sql: string): Prepared<unknown[], unknown> => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const made = database.prepare<unknown[], unknown>(sql)
    if (made.reader) made.raw(true)
    if (prepared.size >= maxPrepared) {
      const [oldest] = prepared.keys()
      if (oldest !== undefined) prepared.delete(oldest)
    }
    prepared.set(sql, made)
    return made
  }
  return {
    all: (statement, values = {}) => translated(() => rowsOf(prepare(statement.sql), parametersOf(statement, values))),
    run: (statement, values = {}) =>
      translated(() => prepare(statement.sql).run(...parametersOf(statement, values)).changes),
  }
}

function rowsOf(prepared: Prepared<unknown[], unknown>, parameters: readonly unknown[]): readonly SqlRow[] {
  return prepared.all(...parameters).filter(isRow)
}

/** All of them are: the statement gives its rows as lists. */
function isRow(row: unknown): row is SqlRow {
  return Array.isArray(row)
}

function translated<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw problemOf(error)
  }
}

/** @see https://www.sqlite.org/rescode.html */
function problemOf(error: unknown): unknown {
  if (!(error instanceof BetterSqlite.SqliteError)) return error
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreError('unique', error, columnsIn(message))
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new StoreError('reference', error)
  if (code.startsWith('SQLITE_BUSY')) return new StoreError('busy', error)
  const isTooComplex = /too large|too many|too deep|stack overflow/.test(message)
  return isTooComplex ? new StoreError('tooComplex', error) : error
}

/** `UNIQUE constraint failed: group.mailNickname, group.x` */
function columnsIn(message: string): readonly string[] {
  const [, list = ''] = message.split('failed: ')
  return list.split(', ').map(name => name.slice(name.indexOf('.') + 1))
}
