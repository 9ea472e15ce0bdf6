import { createRequire, isBuiltin } from 'node:module'
import { versions } from 'node:process'
import { DriverError, withDriver } from '../driver-error.js'
import { type SqliteDriver, type SqliteDriverName, sqliteDriverNames } from './driver.js'

/**
 * The driver for a database: the given one, or the fastest one that is there and suits the database.
 *
 * @param file a path, or `:memory:`
 * @throws {DriverError} if the driver is not there, or cannot keep a file safe
 */
export async function chooseSqliteDriver(file: string, name?: SqliteDriverName): Promise<SqliteDriver> {
  const suits = ({ durable }: SqliteDriver): boolean => durable || file === ':memory:'
  if (name !== undefined) {
    const driver = await loadSqliteDriver(name)
    if (suits(driver)) return driver
    throw new DriverError(`SQLite as WebAssembly keeps its data in memory only. Use ${name}::memory:, or sqlite:FILE.`)
  }
  const missing: string[] = []
  for (const candidate of sqliteDriverNames) {
    try {
      const driver = await loadSqliteDriver(candidate)
      if (suits(driver)) return driver
    } catch (error) {
      if (!(error instanceof DriverError)) throw error
      missing.push(error.message)
    }
  }
  const [why = ''] = missing
  throw new DriverError(
    'A database in a file needs Node.js 22.16 or later, which has SQLite built in, or the package better-sqlite3. ' +
      `${why}. In memory, sqlite::memory: works without it.`,
  )
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
          `The package better-sqlite3 ${version} does not run on Node.js ${versions.node}. Run: npm install ${needed}`,
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
    wasm ??= withDriver('@sqlite.org/sqlite-wasm', async () => (await import('./sqlite-wasm.js')).loadSqliteWasm())
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
