import type BetterSqlite from 'better-sqlite3'
import { takesNodeApi } from './takes-node-api.js'

/**
 * better-sqlite3 as this Node.js needs it: 13, or 12 where that is the only one. Where 12 was compiled for Node.js 24.19 or later,
 * it aborts the process when garbage is collected.
 *
 * @see https://github.com/WiseLibs/better-sqlite3/issues/1515
 */
export const SqliteDriver: typeof BetterSqlite = await load()

async function load(): Promise<typeof BetterSqlite> {
  if (!takesNodeApi) return (await import('better-sqlite3')).default
  try {
    return (await import('better-sqlite3-napi')).default
  } catch {
    // Left out at the installation, or not to be had for this system; or an error that the other has, too.
    return (await import('better-sqlite3')).default
  }
}
