import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../usage-error.js'

/**
 * What generated files import the runtime by.
 *
 * @param runtime a folder, from the current one or, when it is only there, from the output folder; or an installed package
 * @throws UsageError when it leads to no runtime
 */
export function runtimeSpecifier(runtime: string, cwd: string, out: string): string {
  const folder = [resolve(cwd, runtime), resolve(out, runtime)].find(isRuntime)
  if (folder !== undefined) {
    const path = relative(out, folder).split(sep).join('/')
    return path.startsWith('.') ? path : `./${path}`
  }
  const name = packageNameOf(runtime)
  if (name !== undefined && (isInstalled(name, out) || isInstalled(name, cwd))) return runtime
  throw new UsageError(
    `--runtime ${runtime}: there is no runtime in that folder, neither from here nor from the output folder` +
      `${name === undefined ? '' : ', and no package of that name is installed'}. ` +
      'Name a folder that holds query/, client/ or server/ of the runtime, or leave the option out to get a copy.',
  )
}

const isRuntime = (folder: string): boolean =>
  ['query', 'client', 'server'].some(room => existsSync(resolve(folder, room)))

/** `@acme/api` of `@acme/api/runtime`; undefined for what can only be a path. */
function packageNameOf(specifier: string): string | undefined {
  if (isAbsolute(specifier) || specifier.startsWith('.')) return undefined
  return /^(?:@[^/\\]+\/)?[^/\\@]+/.exec(specifier)?.[0]
}

/** Whether a folder, or one above it, has the package. */
function isInstalled(name: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', name))) return true
  const parent = dirname(folder)
  return parent !== folder && isInstalled(name, parent)
}
