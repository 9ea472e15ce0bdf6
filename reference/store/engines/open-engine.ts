import { type Engine, supportsNodeApi, withDriver } from './engine.js'

/** The default time limit of a statement in milliseconds. */
const defaultStatementTimeout = 30_000

/**
 * Opens the database with the given address: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`. Only the driver of this
 * database is loaded.
 *
 * @param statementTimeout the time limit of a statement of a request on PostgreSQL, in milliseconds; 0: the limit of the
 * server
 * @throws {TypeError} for an address of an unknown kind
 * @throws {DriverError} if the driver cannot be loaded
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
  throw new TypeError(`The address of a store must begin with sqlite: or postgres://, but found '${scheme}:'.`)
}
