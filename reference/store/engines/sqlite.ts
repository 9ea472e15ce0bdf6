import type { Database, Statement as Prepared } from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { boundedCache } from '../../../runtime/server/index.js'
import { asParameters, type Engine, parametersOf, type Session, type SqlRow } from './engine.js'
import { createReadWriteLock } from './read-write-lock.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { SqliteDriver, withStoreErrors } from './sqlite-driver.js'
import { addSqliteFunctions } from './sqlite-functions.js'
import { busyTimeout, createGroupCommit } from './sqlite-group-commit.js'

/**
 * KiB of the file that stay in memory. SQLite's own 2,000 hold less than a mailbox: a page of mail would be read from the
 * file anew, row by row, each time.
 */
const cacheSize = 65_536

/** Statements that stay prepared. */
const maxPrepared = 500

/**
 * Opens an SQLite database, `:memory:` or a file, with a write-ahead log that is synchronised at each commit: what was
 * acknowledged survives the process and the machine.
 */
export function openSqlite(file: string): Engine {
  const database = new SqliteDriver(file, { timeout: busyTimeout })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma(`cache_size = -${cacheSize}`)
  addSqliteFunctions(database)
  const session = sessionOf(database)
  const gate = createReadWriteLock()
  const write = createGroupCommit(database, session, gate)
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
    write,
    maintain: async work => {
      const value = await write(work)
      await gate.exclusive(async () => checkpoint(database))
      return value
    },
    close: () =>
      gate.exclusive(async () => {
        database.pragma('optimize')
        database.close()
      }),
  }
}

/**
 * Moves what the write-ahead log holds into the file: else the log would stay as long as what was loaded at once, and the file
 * by itself would be no copy of the data. Left for later when another process reads, or the disk is full: what was committed
 * is in the log. Closing has done so already.
 */
function checkpoint(database: Database): void {
  if (!database.open) return
  database.pragma('busy_timeout = 0')
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!(error instanceof SqliteDriver.SqliteError)) throw error
  } finally {
    database.pragma(`busy_timeout = ${busyTimeout}`)
  }
}

function sessionOf(database: Database): Session {
  const prepare = boundedCache(maxPrepared, (sql): Prepared<unknown[], unknown> => {
    const prepared = database.prepare<unknown[], unknown>(sql)
    return prepared.reader ? prepared.raw(true) : prepared
  })
  return {
    all: (statement, values = {}) =>
      withStoreErrors(() => rowsOf(prepare(statement.sql), parametersOf(statement, values))),
    run: (statement, values = {}) =>
      withStoreErrors(() => prepare(statement.sql).run(...parametersOf(statement, values)).changes),
  }
}

function rowsOf(prepared: Prepared<unknown[], unknown>, parameters: readonly unknown[]): readonly SqlRow[] {
  const rows = prepared.all(...parameters)
  return areRows(rows) ? rows : []
}

/** All of them are lists, as the first is: the statement was told to give them so. */
function areRows(rows: readonly unknown[]): rows is readonly SqlRow[] {
  return rows.length === 0 || Array.isArray(rows[0])
}
