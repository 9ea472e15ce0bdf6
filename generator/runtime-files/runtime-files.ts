import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from '../generated-file.js'
import { ownershipHeader } from '../ownership.js'
import { packageFolder } from '../package-folder.js'
import type { RuntimeRoom } from './runtime-room.js'

/** The parts of the runtime as files beside what imports them. */
export function runtimeFiles(rooms: readonly RuntimeRoom[], service: string): readonly GeneratedFile[] {
  return rooms.map(room => ({
    path: `runtime/${room}.ts`,
    text: `${ownershipHeader(service)}\n\n${readFileSync(join(packageFolder('dist/vendored'), `${room}.ts`), 'utf8')}`,
    kind: 'generated',
  }))
}
