import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { defaultPatternSteps } from '../../../runtime/query/index.js'
import { boundedCache } from '../../../runtime/server/index.js'
import {
  addSqliteFunctions,
  asParameters,
  parametersOf,
  type Session,
  type Sql,
  type Statement,
  StoreError,
  sqliteDialect,
} from '../../../sql/index.js'
import type { Engine } from './engine.js'

import { busyTimeout, type SqliteConnection, type SqliteDriver, withStoreErrors } from './sqlite-drivers/driver.js'
import { createGroupCommit, createReadWriteLock } from './sqlite-group-commit.js'
import { mostPages, moveLog, openWriteAheadLog, synchronousLog } from './write-ahead-log.js'

/**
 * The page cache in KiB. The default of 2,000 KiB holds less than one mailbox, so that each page of mail would be read from
 * the file again.
 */
const cacheSize = 65_536

/** The number of prepared statements in the cache. */
const maxPrepared = 500

/** What one statement may take. */
interface StatementLimits {
  /** The steps of matching patterns. */
  readonly patternSteps?: number
  /** The milliseconds of a read, if the driver can end a statement, or the store is in memory. */
  readonly readMilliseconds?: number
}

/** What a connection that writes may take. */
interface WriterLimits extends StatementLimits {
  /** The writes of one principal that may wait. */
  readonly waitingWrites?: number | undefined
}

/** The default number of writes of one principal that may wait. */
const maxWaitingWrites = 200

/**
 * Opens an SQLite database: `:memory:` or a file. The write-ahead log is synchronised before a write is acknowledged, so that
 * acknowledged writes survive a crash of the process or the machine.
 */
export function openSqlite(
  driver: SqliteDriver,
  file: string,
  {
    patternSteps = defaultPatternSteps,
    readMilliseconds = Number.POSITIVE_INFINITY,
    waitingWrites = maxWaitingWrites,
  }: WriterLimits = {},
): Engine {
  const database = driver.open(file)
  const pragma = (text: string): void => database.exec(`PRAGMA ${text}`)
  const isShared = driver.shares && file !== '' && file !== ':memory:'
  try {
    pragma(`busy_timeout = ${busyTimeout}`)
    pragma('journal_mode = WAL')
    pragma(`synchronous = ${isShared ? 'NORMAL' : 'FULL'}`)
    if (isShared) pragma(`wal_autocheckpoint = ${mostPages}`)
    pragma('foreign_keys = ON')
    pragma(`cache_size = -${cacheSize}`)
    addFunctions(database, patternSteps)
  } catch (error) {
    database.close()
    throw error
  }
  const session = sessionOf(database)
  // Nobody else reads a store in memory. Its reads look at the clock themselves if the driver cannot end them.
  const looksAtClock = file === ':memory:' && database.endWhen === undefined && Number.isFinite(readMilliseconds)
  const endWhen = looksAtClock ? (isOver: () => boolean) => addClock(database, isOver) : database.endWhen
  const reading = withDeadline(endWhen, session, readMilliseconds)
  const lock = createReadWriteLock()
  const log = isShared ? openWriteAheadLog(file, driver.name) : synchronousLog
  const write = createGroupCommit(database, session, lock, waitingWrites, log)
  const aside = isShared ? openAside(driver, file, patternSteps) : undefined
  return {
    dialect: looksAtClock ? dialectWithClock : sqliteDialect,
    compile,
    ...(reading === session ? {} : { readMilliseconds }),
    // A long write lets other requests go on, whose reads see what was committed before it.
    read: work => (aside !== undefined && lock.isClosed() ? aside.read(work) : lock.shared(() => work(reading))),
    write,
    maintain: async work => {
      const value = await write(work)
      await lock.exclusive(async () => moveLog(database, 'TRUNCATE'))
      return value
    },
    check: async () => void database.prepare('SELECT count(*) FROM sqlite_schema').all([]),
    close: () =>
      lock.exclusive(async () => {
        await aside?.close()
        await log.close()
        pragma('optimize')
        database.close()
      }),
  }
}

/** A second connection, for reads while a write is running. They have it one after another. */
function openAside(driver: SqliteDriver, file: string, patternSteps: number): Pick<Engine, 'read' | 'close'> {
  const lock = createReadWriteLock()
  const engine = openSqliteReader(driver, file, { patternSteps, isOver: () => false })
  return { read: work => lock.exclusive(() => engine.read(work)), close: () => lock.exclusive(engine.close) }
}

/** When a reader has to end its statement. */
interface ReaderLimits extends StatementLimits {
  /** Whether the read that is running has to end. Asked at least once for a few hundred rows. */
  readonly isOver: () => boolean
}

/** The page cache of a reader in KiB. There can be several of them. */
const readerCacheSize = 8_192

/**
 * Opens a file of SQLite for reading, beside the connection that writes it. Each read is one transaction, so that it sees
 * what was committed before it began, and nothing that is committed later.
 */
export function openSqliteReader(driver: SqliteDriver, file: string, { patternSteps, isOver }: ReaderLimits): Engine {
  const database = driver.open(file, 'read')
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    database.exec(`PRAGMA cache_size = -${readerCacheSize}`)
    addFunctions(database, patternSteps)
    addClock(database, isOver)
  } catch (error) {
    database.close()
    throw error
  }
  const session = sessionOf(database)
  const refuse = async (): Promise<never> => {
    throw new TypeError('A reader does not write.')
  }
  return {
    dialect: dialectWithClock,
    compile,
    read: async work => {
      withStoreErrors(() => database.exec('BEGIN'))
      try {
        return await work(session)
      } finally {
        withStoreErrors(() => database.exec('COMMIT'))
      }
    },
    write: refuse,
    maintain: refuse,
    check: async () => void database.prepare('SELECT count(*) FROM sqlite_schema').all([]),
    close: async () => database.close(),
  }
}

const withinTimeName = 'within_time'

/** Statements look at the clock now and then. */
const dialectWithClock: typeof sqliteDialect = {
  ...sqliteDialect,
  // A call costs more than reading a row.
  withinTime: row => sql`CASE WHEN (${row} & 255) = 0 THEN ${sql.raw(withinTimeName)}(${row}) ELSE 1 END`,
}

/** Adds the function with which statements look at the clock. */
function addClock(database: SqliteConnection, isOver: () => boolean): void {
  database.addFunction(withinTimeName, () => {
    if (isOver()) throw new StoreError('tooSlow', undefined)
    return 1n
  })
}

const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

function compile(fragment: Sql): Statement {
  const { sql, parameters } = fragment.compile(compiler)
  return { sql, parameters: asParameters(parameters) }
}

function addFunctions(database: SqliteConnection, patternSteps = defaultPatternSteps): void {
  addSqliteFunctions({ function: (name, _options, work) => database.addFunction(name, work) }, patternSteps)
}

/** A session whose statements have a time limit, if they can be ended. */
function withDeadline(endWhen: SqliteConnection['endWhen'], session: Session, milliseconds: number): Session {
  if (endWhen === undefined || !Number.isFinite(milliseconds)) return session
  let deadline = Number.POSITIVE_INFINITY
  endWhen(() => performance.now() > deadline)
  return {
    ...session,
    all: (statement, values) => {
      deadline = performance.now() + milliseconds
      try {
        return session.all(statement, values)
      } finally {
        deadline = Number.POSITIVE_INFINITY
      }
    },
  }
}

function sessionOf(database: SqliteConnection): Session {
  const prepare = boundedCache(maxPrepared, sql => database.prepare(sql))
  return {
    all: (statement, values = {}) => withStoreErrors(() => prepare(statement.sql).all(parametersOf(statement, values))),
    run: (statement, values = {}) => withStoreErrors(() => prepare(statement.sql).run(parametersOf(statement, values))),
  }
}
