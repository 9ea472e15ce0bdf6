import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { defaultPatternSteps } from '../../../runtime/query/index.js'
import { type Engine, type ReplicaStore, type SharedStore, withDriver } from './engine.js'
import { openSqlite, openSqliteReader } from './sqlite.js'
import { chooseSqliteDriver, loadSqliteDriver } from './sqlite-drivers/choose-driver.js'
import { sqliteDriverNames } from './sqlite-drivers/driver.js'
import { requireUnheldFile } from './sqlite-drivers/file-holder.js'
import { watchFile } from './watch-disk.js'

export type { SharedStore } from './engine.js'

/** The default time limit of a statement in milliseconds. */
const defaultStatementTimeout = 30_000

interface EngineOptions {
  /** The time limit of a statement of a request on PostgreSQL, in milliseconds; 0: the limit of the server. */
  readonly statementTimeout?: number | undefined
  /** The steps that matching patterns may take in one statement. */
  readonly patternSteps?: number | undefined
  /** The time limit of a read on SQLite in milliseconds, if the driver can end statements, or the store is in memory. */
  readonly readMilliseconds?: number | undefined
  /** The writes of one principal that may wait for the writer of SQLite. */
  readonly waitingWrites?: number | undefined
  /** A replica of a PostgreSQL database, for reads. */
  readonly replica?: ReplicaStore | undefined
}

/**
 * Opens the database with the given address: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`. The name of a driver in
 * place of `sqlite` demands this driver. Only the driver of this database is loaded.
 *
 * @throws {TypeError} for an address of an unknown kind
 * @throws {DriverError} if the driver cannot be loaded, or another process holds the file
 */
export async function openEngine(address: string, options: EngineOptions = {}): Promise<Engine> {
  const {
    statementTimeout = defaultStatementTimeout,
    patternSteps = defaultPatternSteps,
    readMilliseconds = Number.POSITIVE_INFINITY,
    waitingWrites,
    replica,
  } = options
  const [scheme = ''] = address.split(':', 1)
  if (replica !== undefined && !(isPostgres(scheme) && isPostgres(replica.address.split(':', 1)[0])))
    throw new TypeError(
      'Only a store on PostgreSQL can have a replica for reads, at an address that begins with postgres://.',
    )
  const driver = sqliteDriverNames.find(name => name === scheme)
  if (scheme === 'sqlite' || driver !== undefined) {
    const file = address.slice(scheme.length + 1)
    if (!existsSync(dirname(file))) throw new TypeError(`The folder of ${file} does not exist. Create it first.`)
    const chosen = await (driver === undefined ? chooseSqliteDriver() : loadSqliteDriver(driver))
    if (chosen.shares && file !== ':memory:') requireUnheldFile(file)
    const engine = watchFile(openSqlite(chosen, file, { patternSteps, readMilliseconds, waitingWrites }), file)
    const isShared = chosen.shares && file !== '' && file !== ':memory:'
    return isShared ? { ...engine, shared: { address: `${chosen.name}:${file}` } } : engine
  }
  if (isPostgres(scheme))
    return withDriver('pg', async () => {
      const { openPostgres } = await import('./postgres.js')
      return openPostgres(address, { statementTimeout, patternSteps, ...(replica === undefined ? {} : { replica }) })
    })
  throw new TypeError(
    `The address of a store must begin with sqlite: or postgres://, but found '${address.includes(':') ? `${scheme}:` : address}'.`,
  )
}

function isPostgres(scheme: string | undefined): boolean {
  return scheme === 'postgres' || scheme === 'postgresql'
}

/** What the reads of a reader may take. */
interface ReaderOptions {
  readonly statementTimeout: number | undefined
  readonly patternSteps: number | undefined
  readonly readMilliseconds: number
  /** Whether the read that is running has to end. For an engine that blocks its thread. */
  readonly isOver: () => boolean
}

/** The connections of a reader to PostgreSQL. */
export const readerConnections = 4

/** Opens the store of another engine for reading only. */
export async function openReader(store: SharedStore, options: ReaderOptions): Promise<Engine> {
  const { statementTimeout = defaultStatementTimeout, patternSteps = defaultPatternSteps, readMilliseconds } = options
  const [scheme = ''] = store.address.split(':', 1)
  const driver = sqliteDriverNames.find(name => name === scheme)
  if (driver !== undefined) {
    const chosen = await loadSqliteDriver(driver)
    const file = store.address.slice(scheme.length + 1)
    return { ...openSqliteReader(chosen, file, { patternSteps, isOver: options.isOver }), readMilliseconds }
  }
  const { openPostgres } = await import('./postgres.js')
  const isShorter = statementTimeout <= 0 || readMilliseconds < statementTimeout
  const engine = await openPostgres(store.address, {
    statementTimeout: isShorter ? readMilliseconds : statementTimeout,
    patternSteps,
    connections: readerConnections,
    ...(store.correction === undefined ? {} : { correction: store.correction }),
    ...(store.replica === undefined ? {} : { replica: store.replica }),
  })
  return isShorter ? { ...engine, readMilliseconds } : engine
}
