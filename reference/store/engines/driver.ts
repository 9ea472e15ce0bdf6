import { versions } from 'node:process'

/**
 * Opens an engine whose driver is a package that may be absent, or whose native part may be: npm leaves it out where
 * install scripts are not run, and another Node.js than the one that it was made for cannot load it.
 *
 * @param driver the package, with the version that is needed where not each will do
 * @param open loads the driver and opens the engine
 * @throws {DriverError} when the package cannot be loaded
 */
export async function withDriver<T>(driver: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const why = error instanceof Error ? loadFailure(driver, error) : undefined
    throw why === undefined ? error : new DriverError(why, { cause: error })
  }
}

function loadFailure(wanted: string, error: Error): string | undefined {
  const [driver] = wanted.split('@')
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return `The package ${driver}, which it needs, is not installed, or not wholly: npm install ${wanted}`
  // The package bindings, which looks for the native part, gives no code.
  if (code === 'ERR_DLOPEN_FAILED' || error.message.startsWith('Could not locate the bindings file'))
    return (
      `The native part of the package ${driver} is not there, or is for another version of Node.js or another system: ` +
      `npm rebuild ${driver}, with install scripts allowed`
    )
  return undefined
}

/** The package that talks to a database cannot be loaded. The message says what to do. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
}

/** Whether this Node.js is one for better-sqlite3 13 and later, which stand on Node-API: 22 and later. */
export const supportsNodeApi = Number.parseInt(versions.node, 10) >= 22
