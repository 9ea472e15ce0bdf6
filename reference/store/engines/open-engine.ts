import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { defaultPatternSteps } from '../../../runtime/query/index.js'
import { withDriver } from './driver-error.js'
import type { Engine } from './engine.js'
import { openSqlite } from './sqlite.js'
import { chooseSqliteDriver, loadSqliteDriver } from './sqlite-drivers/choose-driver.js'
import { sqliteDriverNames } from './sqlite-drivers/driver.js'
import { requireUnheldFile } from './sqlite-drivers/file-holder.js'
import { watchFile } from './sqlite-file.js'

/** The default time limit of a statement in milliseconds. */
const defaultStatementTimeout = 30_000

export interface EngineOptions {
  /** The time limit of a statement of a request on PostgreSQL, in milliseconds; 0: the limit of the server. */
  readonly statementTimeout?: number | undefined
  /** The steps that matching patterns may take in one statement. */
  readonly patternSteps?: number | undefined
}

/**
 * Opens the database with the given address: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`. The name of a driver in
 * place of `sqlite` demands this driver. Only the driver of this database is loaded.
 *
 * @throws {TypeError} for an address of an unknown kind
 * @throws {DriverError} if the driver cannot be loaded, or another process holds the file
 */
export async function openEngine(address: string, options: EngineOptions = {}): Promise<Engine> {
  const { statementTimeout = defaultStatementTimeout, patternSteps = defaultPatternSteps } = options
  const [scheme = ''] = address.split(':', 1)
  const driver = sqliteDriverNames.find(name => name === scheme)
  if (scheme === 'sqlite' || driver !== undefined) {
    const file = address.slice(scheme.length + 1)
    if (!existsSync(dirname(file))) throw new TypeError(`The folder of ${file} does not exist. Create it first.`)
    const chosen = await (driver === undefined ? chooseSqliteDriver() : loadSqliteDriver(driver))
    if (chosen.shares && file !== ':memory:') requireUnheldFile(file)
    return watchFile(openSqlite(chosen, file, patternSteps), file)
  }
  if (scheme === 'postgres' || scheme === 'postgresql')
    return withDriver('pg', async () => {
      const { openPostgres } = await import('./postgres.js')
      return openPostgres(address, { statementTimeout, patternSteps })
    })
  throw new TypeError(`The address of a store must begin with sqlite: or postgres://, but found '${scheme}:'.`)
}
