import { supportsNodeApi, withDriver } from './driver.js'
import type { Engine } from './engine.js'

/** Milliseconds that a statement may take: a caller who waits for longer has gone, or will not be patient again. */
const defaultStatementTimeout = 30_000

/**
 * Opens the database that a store's address names: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`. Its driver is loaded
 * here, so that nobody needs that of another.
 *
 * @param statementTimeout milliseconds that PostgreSQL may take for a statement of a request; 0: what the server allows
 * @throws {TypeError} for another address
 * @throws {DriverError} when the driver cannot be loaded
 */
export async function openEngine(address: string, statementTimeout = defaultStatementTimeout): Promise<Engine> {
  if (address.startsWith('sqlite:'))
    return withDriver(supportsNodeApi ? 'better-sqlite3' : 'better-sqlite3@12', async () => {
      const { openSqlite } = await import('./sqlite.js')
      return openSqlite(address.slice('sqlite:'.length))
    })
  if (address.startsWith('postgres://') || address.startsWith('postgresql://'))
    return withDriver('pg', async () => {
      const { openPostgres } = await import('./postgres.js')
      return openPostgres(address, statementTimeout)
    })
  const [scheme = ''] = address.split(':', 1)
  throw new TypeError(`A store's address begins with sqlite: or postgres://, but found '${scheme}:'.`)
}
