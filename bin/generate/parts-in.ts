import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RuntimePart } from '../../generator/index.js'

/** What each part of the runtime declares, and the module of the package's that does. */
const landmarks: readonly (readonly [part: RuntimePart, declared: RegExp, module: string])[] = [
  ['client', /\bconst connect\b/, 'client/connection'],
  ['server', /\bfunction createService\b/, 'server/create-service'],
]

const endings = ['.ts', '.d.ts', '.d.mts', '.js']

/** The parts of the runtime that a folder has as one file each, as beside generated code; compiled, too. */
export function partsIn(folder: string): readonly RuntimePart[] {
  return landmarks
    .filter(([part, declared]) => endings.some(ending => declares(join(folder, `${part}${ending}`), declared)))
    .map(([part]) => part)
}

/** The parts of the runtime of which a folder has the modules, as in the package. */
export function partsAsModulesIn(folder: string): readonly RuntimePart[] {
  return landmarks
    .filter(([, , module]) => endings.some(ending => existsSync(join(folder, `${module}${ending}`))))
    .map(([part]) => part)
}

function declares(file: string, declared: RegExp): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && declared.test(readFileSync(file, 'utf8'))
}
