import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { UsageError } from '../usage-error.js'

/**
 * What generated files import the runtime by.
 *
 * @param runtime a folder, from the current one or, when it is only there, from the output folder; or a package
 * @throws UsageError when a path leads to no runtime
 */
export function runtimeSpecifier(runtime: string, cwd: string, out: string): string {
  if (!isAbsolute(runtime) && !/^\.{1,2}([\\/]|$)/.test(runtime) && !existsSync(resolve(cwd, runtime))) return runtime
  const folder = [resolve(cwd, runtime), resolve(out, runtime)].find(isRuntime)
  if (folder === undefined) {
    throw new UsageError(
      `--runtime ${runtime}: there is no runtime in that folder, neither from here nor from the output folder. ` +
        'Name a folder that holds query/, client/ or server/ of the runtime, or leave the option out to get a copy.',
    )
  }
  const path = relative(out, folder).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

const isRuntime = (folder: string): boolean =>
  ['query', 'client', 'server'].some(room => existsSync(resolve(folder, room)))
