import type { Engine } from './engine.js'
import { openPostgres } from './postgres-engine.js'
import { openSqlite } from './sqlite-engine.js'

/**
 * Opens the database that a store's address names: `sqlite:FILE`, `sqlite::memory:` or `postgres://…`.
 *
 * @throws {TypeError} for another address
 */
export async function openEngine(address: string): Promise<Engine> {
  if (address.startsWith('sqlite:')) return openSqlite(address.slice('sqlite:'.length))
  if (address.startsWith('postgres://') || address.startsWith('postgresql://')) return openPostgres(address)
  const [scheme = ''] = address.split(':', 1)
  throw new TypeError(`A store's address begins with sqlite: or postgres://, but found '${scheme}:'.`)
}
