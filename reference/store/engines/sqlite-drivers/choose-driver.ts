import { createRequire, isBuiltin } from 'node:module'
import { versions } from 'node:process'
import { installCommand } from '../../../../spec/language/index.js'
import { DriverError, withDriver } from '../engine.js'
import { type SqliteDriver, type SqliteDriverName, sqliteDriverNames } from './driver.js'

/**
 * The fastest driver that is there.
 *
 * @throws {DriverError} if there is none
 */
export async function chooseSqliteDriver(): Promise<SqliteDriver> {
  let last: DriverError | undefined
  for (const candidate of sqliteDriverNames) {
    try {
      return await loadSqliteDriver(candidate)
    } catch (error) {
      if (!(error instanceof DriverError)) throw error
      last = error
    }
  }
  throw last ?? new DriverError('There is no driver of SQLite.')
}

/**
 * Loads a driver.
 *
 * @throws {DriverError} if it is not there
 */
export function loadSqliteDriver(name: SqliteDriverName): Promise<SqliteDriver> {
  return drivers[name]()
}

const drivers: Readonly<Record<SqliteDriverName, () => Promise<SqliteDriver>>> = {
  'better-sqlite3': () =>
    withDriver(betterSqlite3For(versions.node), async () => {
      const { betterSqlite3 } = await import('./better-sqlite3.js')
      const { version } = packageOf('better-sqlite3')
      if (!runsOn(version, versions.node)) {
        const needed = betterSqlite3For(versions.node)
        throw new DriverError(
          `The package better-sqlite3 ${version} does not run on Node.js ${versions.node}. Run: ${installCommand(needed)}`,
        )
      }
      // Loads the native part, which may be missing.
      betterSqlite3.open(':memory:').close()
      return betterSqlite3
    }),
  'node-sqlite': async () => {
    const { nodeSqlite } = isBuiltin('node:sqlite') ? await import('./node-sqlite.js') : { nodeSqlite: undefined }
    if (nodeSqlite !== undefined) return nodeSqlite
    throw new DriverError(`Node.js ${versions.node} has no SQLite that fits. Use Node.js 22.16 or later`)
  },
  'sqlite-wasm': () => {
    wasm ??= withDriver('@sqlite.org/sqlite-wasm', async () => {
      const [{ loadSqliteWasm }, { installNodeVfs }] = await Promise.all([
        import('./sqlite-wasm.js'),
        import('./node-vfs.js'),
      ])
      // A browser has no files.
      return loadSqliteWasm(isBuiltin('node:fs') ? { installFiles: installNodeVfs } : {})
    })
    return wasm
  },
}

/** All connections share one WebAssembly module. */
let wasm: Promise<SqliteDriver> | undefined

function packageOf(name: string): { readonly version: string } {
  return createRequire(import.meta.url)(`${name}/package.json`)
}

/** The version of better-sqlite3 that a Node.js needs, for `npm install`. */
function betterSqlite3For(node: string): string {
  return majorOf(node) >= 22 ? 'better-sqlite3' : 'better-sqlite3@12'
}

/**
 * Whether a version of better-sqlite3 runs on a version of Node.js. Version 13 ends the process on Node.js 20, and version
 * 12 on Node.js 24.19 and later.
 *
 * @see https://github.com/WiseLibs/better-sqlite3/issues/1515
 */
export function runsOn(version: string, node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return majorOf(version) >= 13 ? major >= 22 : major < 24 || (major === 24 && minor < 19)
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}
