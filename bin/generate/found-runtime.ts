import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RuntimePart } from '../../generator/index.js'

/** What there is of a runtime in a folder. */
export interface FoundRuntime {
  /** None where there is no runtime. */
  readonly parts: readonly RuntimePart[]
  /** It is JavaScript and declarations. */
  readonly compiled: boolean
}

/** What each part of the runtime declares, and the module of the package's that does. */
const landmarks: readonly (readonly [part: RuntimePart, declared: RegExp, module: string])[] = [
  ['client', /\bconst connect\b/, 'client/connection'],
  ['server', /\bfunction createService\b/, 'server/create-service'],
]

const compiledEndings = ['.d.ts', '.d.mts', '.js']

/** The runtime that a folder has as one file for each part, as beside generated code. */
export function runtimeIn(folder: string): FoundRuntime {
  return found((part, declared) => ending => declares(join(folder, `${part}${ending}`), declared))
}

/** The runtime that a folder has module by module, as in the package. */
export function runtimeAsModulesIn(folder: string): FoundRuntime {
  return found((_part, _declared, module) => ending => existsSync(join(folder, `${module}${ending}`)))
}

type HasEnding = (ending: string) => boolean

function found(look: (...landmark: (typeof landmarks)[number]) => HasEnding): FoundRuntime {
  const as = (endings: readonly string[]): readonly RuntimePart[] =>
    landmarks.filter(landmark => endings.some(look(...landmark))).map(([part]) => part)
  return { parts: as(['.ts', ...compiledEndings]), compiled: as(['.ts']).length === 0 }
}

function declares(file: string, declared: RegExp): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && declared.test(readFileSync(file, 'utf8'))
}
