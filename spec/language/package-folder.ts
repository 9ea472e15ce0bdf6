import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
