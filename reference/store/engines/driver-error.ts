/**
 * Opens an engine whose driver package, or the native part of it, may be missing. npm omits the native part if it does not
 * run install scripts, and a different version of Node.js cannot load it.
 *
 * @param driver the package, with its version if that matters
 * @param open loads the driver and opens the engine
 * @throws {DriverError} if the package cannot be loaded
 */
export async function withDriver<T>(driver: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const why = error instanceof Error ? loadFailure(driver, error) : undefined
    throw why === undefined ? error : new DriverError(why, { cause: error })
  }
}

function loadFailure(requirement: string, error: Error): string | undefined {
  // A name can begin with @.
  const driver = requirement.replace(/(?<=.)@.*/, '')
  const code = 'code' in error ? error.code : undefined
  // Vite and Rolldown replace an optional package that is not there by a module that throws.
  const isBundled = error.message.startsWith('Could not resolve "')
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || isBundled)
    return `The package ${driver} is not installed, or its installation is incomplete. Run: npm install ${requirement}`
  // The package `bindings`, which locates the native part, reports no code.
  if (code === 'ERR_DLOPEN_FAILED' || error.message.startsWith('Could not locate the bindings file'))
    return (
      `The native part of the package ${driver} is missing, or was built for a different version of Node.js or a different system. Run: ` +
      `npm rebuild ${driver}, with install scripts allowed`
    )
  return undefined
}

/** The package that connects to a database cannot be loaded. The message says how to fix it. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
}
