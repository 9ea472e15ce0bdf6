import { posix } from 'node:path'
import type { GeneratedFile } from '../generated-file.js'
import { importedModules } from './imported-modules.js'

const folder = 'runtime/'

/** The runtime modules that generated files import from beside them, as paths below the runtime folder. */
export function runtimeModules(files: readonly GeneratedFile[]): readonly string[] {
  const modules = files.flatMap(({ path, text }) =>
    importedModules(text)
      .map(specifier => posix.join(posix.dirname(path), specifier))
      .filter(module => module.startsWith(folder))
      .map(module => module.slice(folder.length)),
  )
  return [...new Set(modules)]
}
