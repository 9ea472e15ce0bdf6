import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { GeneratedFile } from '../generated-file.js'
import { ownershipHeader } from '../ownership.js'
import { packageFolder } from '../package-folder.js'
import { importedModules } from './imported-modules.js'

/**
 * The runtime files that generated code needs beside it: those that it imports, and all that these import in turn.
 *
 * @param modules paths below the runtime folder, `client/connection.js`
 * @param service named in the header of each file
 * @returns the files below `runtime/`, in code-unit order
 */
export function runtimeFiles(modules: Iterable<string>, service: string): readonly GeneratedFile[] {
  const folder = packageFolder('runtime')
  const header = ownershipHeader(service)
  const files = new Map<string, GeneratedFile>()
  const waiting = [...modules]
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (files.has(module)) continue
    const path = module.replace(/\.js$/, '.ts')
    const text = readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n')
    files.set(module, { path: `runtime/${path}`, text: `${header}\n\n${text}`, kind: 'generated' })
    for (const specifier of importedModules(text)) waiting.push(posix.join(posix.dirname(module), specifier))
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
