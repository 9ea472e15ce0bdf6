import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { defaultPatternSteps } from '../../../runtime/query/index.js'
import { boundedCache } from '../../../runtime/server/index.js'
import { addSqliteFunctions, asParameters, parametersOf, type Session, sqliteDialect } from '../../../sql/index.js'
import type { Engine } from './engine.js'
import { createReadWriteLock } from './read-write-lock.js'
import { type SqliteConnection, type SqliteDriver, SqliteError } from './sqlite-drivers/driver.js'
import { busyTimeout, createGroupCommit } from './sqlite-group-commit.js'
import { withStoreErrors } from './sqlite-store-errors.js'

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
export function openSqlite(driver: SqliteDriver, file: string, patternSteps = defaultPatternSteps): Engine {
  const database = driver.open(file)
  const pragma = (text: string): void => database.exec(`PRAGMA ${text}`)
  try {
    pragma(`busy_timeout = ${busyTimeout}`)
    pragma('journal_mode = WAL')
    pragma('synchronous = FULL')
    pragma('foreign_keys = ON')
    pragma(`cache_size = -${cacheSize}`)
    addSqliteFunctions({ function: (name, _options, work) => database.addFunction(name, work) }, patternSteps)
  } catch (error) {
    database.close()
    throw error
  }
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
    check: async () => void database.prepare('SELECT count(*) FROM sqlite_schema').all([]),
    close: () =>
      gate.exclusive(async () => {
        pragma('optimize')
        database.close()
      }),
  }
}

/**
 * Moves the write-ahead log into the file. Otherwise the log would stay as long as the loaded data, and the file alone would
 * not be a complete copy. Skipped if another process is reading or the disk is full: committed data is safe in the log.
 * Closing the database does the same.
 */
function checkpoint(database: SqliteConnection): void {
  if (!database.isOpen()) return
  database.exec('PRAGMA busy_timeout = 0')
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  }
}

function sessionOf(database: SqliteConnection): Session {
  const prepare = boundedCache(maxPrepared, sql => database.prepare(sql))
  return {
    all: (statement, values = {}) => withStoreErrors(() => prepare(statement.sql).all(parametersOf(statement, values))),
    run: (statement, values = {}) => withStoreErrors(() => prepare(statement.sql).run(parametersOf(statement, values))),
  }
}
