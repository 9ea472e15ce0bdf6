import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'

let known: string | undefined

/**
 * A folder of the package, above this one, whether it runs compiled or from its source. `runtime/` is only in
 * the repository: the build creates `dist/vendored.br` from it.
 */
export function packageFolder(name: 'templates' | 'runtime' | 'dist' | 'spec'): string {
  known ??= findPackage(dirname(fileURLToPath(import.meta.url)))
  return join(known, name)
}

function findPackage(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) throw new Error(`no package.json above ${start}: the installation is damaged`)
  }
}

/** The package manager that has started this process. Default: `npm`. */
export function packageManager(): 'npm' | 'pnpm' | 'yarn' | 'bun' {
  const name = /^\w+(?=\/)/.exec(env['npm_config_user_agent'] ?? '')?.[0]
  return name === 'pnpm' || name === 'yarn' || name === 'bun' ? name : 'npm'
}

/**
 * The command that installs a package with that package manager.
 *
 * @param requirement the name of the package, which a version may follow
 */
export function installCommand(requirement: string, kind?: 'development'): string {
  const manager = packageManager()
  const options = kind === undefined ? '' : manager === 'npm' ? ' --save-dev' : manager === 'bun' ? ' --dev' : ' -D'
  return `${manager} ${manager === 'npm' ? 'install' : 'add'}${options} ${requirement}`
}
