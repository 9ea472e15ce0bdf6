import nodeModule from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from './package-root.js'

let isHooked = false

/**
 * Imports a module of the user, which is trusted code. It can be TypeScript, and what it imports, too.
 *
 * @param version modules are loaded once: another version loads the file again
 */
export async function importModule(path: string, version = 0): Promise<unknown> {
  if (!isHooked) {
    isHooked = true
    const registerHooks: unknown = Reflect.get(nodeModule, 'registerHooks')
    // A stack trace shows the lines of the TypeScript.
    process.setSourceMapsEnabled(true)
    if (typeof registerHooks === 'function') registerHooks(await import('./module-hooks.js'))
    else nodeModule.register(pathToFileURL(join(packageRoot(), 'dist', 'cli', 'module-hooks.js')))
  }
  const { href } = pathToFileURL(path)
  return import(version === 0 ? href : `${href}?version=${version}`)
}
