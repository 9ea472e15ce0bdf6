import type { Database, Statement as Prepared } from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { defaultPatternSteps } from '../../../runtime/query/index.js'
import { boundedCache } from '../../../runtime/server/index.js'
import {
  addSqliteFunctions,
  asParameters,
  parametersOf,
  type Session,
  type SqlRow,
  sqliteDialect,
} from '../../../sql/index.js'
import type { Engine } from './engine.js'
import { createReadWriteLock } from './read-write-lock.js'
import { SqliteDriver, withStoreErrors } from './sqlite-driver.js'
import { busyTimeout, createGroupCommit } from './sqlite-group-commit.js'

/**
 * The page cache in KiB. The default of 2,000 KiB holds less than one mailbox, so that each page of mail would be read from
 * the file again.
 */
const cacheSize = 65_536

/** The number of prepared statements in the cache. */
const maxPrepared = 500

/**
 * Opens an SQLite database: `:memory:` or a file. The write-ahead log is synchronised at each commit, so that acknowledged
 * writes survive a crash of the process or the machine.
 *
 * @param patternSteps the steps that matching patterns may take in one statement
 */
export function openSqlite(file: string, patternSteps = defaultPatternSteps): Engine {
  const database = new SqliteDriver(file, { timeout: busyTimeout })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma(`cache_size = -${cacheSize}`)
  addSqliteFunctions(database, patternSteps)
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
    check: async () => void database.prepare('SELECT count(*) FROM sqlite_schema').get(),
    close: () =>
      gate.exclusive(async () => {
        database.pragma('optimize')
        database.close()
      }),
  }
}

/**
 * Moves the write-ahead log into the file. Otherwise the log would stay as long as the loaded data, and the file alone would
 * not be a complete copy. Skipped if another process is reading or the disk is full: committed data is safe in the log.
 * Closing the database does the same.
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

/** All rows are arrays if the first one is: the statement is in raw mode. */
function areRows(rows: readonly unknown[]): rows is readonly SqlRow[] {
  return rows.length === 0 || Array.isArray(rows[0])
}
