import type { Engine } from './engine.js'
import { openPostgres } from './postgres-engine.js'
import { openSqlite } from './sqlite-engine.js'

/** Milliseconds that a statement may take: a caller who waits for longer has gone, or will not be patient again. */
const defaultStatementTimeout = 30_000

/**
 * Opens the database that a store's address names: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`.
 *
 * @param statementTimeout milliseconds that PostgreSQL may take for a statement of a request; 0: what the server allows
 * @throws {TypeError} for another address
 */
export async function openEngine(address: string, statementTimeout = defaultStatementTimeout): Promise<Engine> {
  if (address.startsWith('sqlite:')) return openSqlite(address.slice('sqlite:'.length))
  if (address.startsWith('postgres://') || address.startsWith('postgresql://'))
    return openPostgres(address, statementTimeout)
  const [scheme = ''] = address.split(':', 1)
  throw new TypeError(`A store's address begins with sqlite: or postgres://, but found '${scheme}:'.`)
}
