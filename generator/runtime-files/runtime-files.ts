import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from '../generated-file.js'
import { ownershipHeader } from '../ownership.js'
import { packageFolder } from '../package-folder.js'
import type { RuntimePart } from './runtime-part.js'

/** The parts of the runtime as files beside what imports them. */
export function runtimeFiles(parts: readonly RuntimePart[], service: string): readonly GeneratedFile[] {
  return parts.map(part => ({
    path: `runtime/${part}.ts`,
    text: `${ownershipHeader(service)}\n\n${readFileSync(join(packageFolder('dist/vendored'), `${part}.ts`), 'utf8')}`,
    kind: 'generated',
  }))
}
