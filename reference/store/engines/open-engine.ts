import { defaultPatternSteps } from '../../../runtime/query/index.js'
import { type Engine, supportsNodeApi, withDriver } from './engine.js'

/** The default time limit of a statement in milliseconds. */
const defaultStatementTimeout = 30_000

export interface EngineOptions {
  /** The time limit of a statement of a request on PostgreSQL, in milliseconds; 0: the limit of the server. */
  readonly statementTimeout?: number | undefined
  /** The steps that matching patterns may take in one statement. */
  readonly patternSteps?: number | undefined
}

/**
 * Opens the database with the given address: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`. Only the driver of this
 * database is loaded.
 *
 * @throws {TypeError} for an address of an unknown kind
 * @throws {DriverError} if the driver cannot be loaded
 */
export async function openEngine(address: string, options: EngineOptions = {}): Promise<Engine> {
  const { statementTimeout = defaultStatementTimeout, patternSteps = defaultPatternSteps } = options
  if (address.startsWith('sqlite:'))
    return withDriver(supportsNodeApi ? 'better-sqlite3' : 'better-sqlite3@12', async () => {
      const { openSqlite } = await import('./sqlite.js')
      const { watchFile } = await import('./sqlite-file.js')
      const file = address.slice('sqlite:'.length)
      return watchFile(openSqlite(file, patternSteps), file)
    })
  if (address.startsWith('postgres://') || address.startsWith('postgresql://'))
    return withDriver('pg', async () => {
      const { openPostgres } = await import('./postgres.js')
      return openPostgres(address, { statementTimeout, patternSteps })
    })
  const [scheme = ''] = address.split(':', 1)
  throw new TypeError(`The address of a store must begin with sqlite: or postgres://, but found '${scheme}:'.`)
}
