import { DriverError } from '../store/engines/engine.js'
import { loadSqliteDriver } from '../store/engines/sqlite-drivers/choose-driver.js'
import {
  type SqliteConnection,
  type SqliteDriver,
  type SqliteDriverName,
  sqliteDriverNames,
} from '../store/engines/sqlite-drivers/driver.js'

/** The drivers of SQLite that are there. */
export const sqliteDrivers: readonly SqliteDriver[] = (await Promise.all(sqliteDriverNames.map(present))).flat()

/** The drivers of files: each one keeps them. */
export const fileDrivers: readonly SqliteDriverName[] = sqliteDrivers.map(({ name }) => name)

/** The drivers with which several connections share a file. There may be none on Node.js 20: see CONTRIBUTING.md. */
export const sharingDrivers: readonly SqliteDriverName[] = sqliteDrivers
  .filter(({ shares }) => shares)
  .map(({ name }) => name)

// As in CI.
if (process.env['NATIVE_ENGINE'] === 'required' && !fileDrivers.includes('better-sqlite3')) {
  throw new Error('better-sqlite3 does not run here. Run: npm run sqlite')
}

async function present(name: SqliteDriverName): Promise<readonly SqliteDriver[]> {
  try {
    return [await loadSqliteDriver(name)]
  } catch (error) {
    if (error instanceof DriverError) return []
    throw error
  }
}

/**
 * Opens the database of a store, beside the service that uses it. It uses the same driver: two copies of SQLite in one
 * process do not see each other's locks.
 *
 * @see https://www.sqlite.org/howtocorrupt.html, 2.2.1
 */
export function openFile(store: string): SqliteConnection {
  const [scheme = ''] = store.split(':', 1)
  const name = scheme === 'sqlite' ? fileDrivers[0] : scheme
  const driver = sqliteDrivers.find(each => each.name === name)
  if (driver === undefined) throw new Error(`No driver of SQLite keeps ${store} here.`)
  return driver.open(store.slice(scheme.length + 1))
}
