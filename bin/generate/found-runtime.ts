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

/** How a part of the runtime is known. */
interface Landmark {
  readonly part: RuntimePart
  /** What the file of the part declares. */
  readonly declared: RegExp
  /** The module of the package that does. */
  readonly module: string
}

const landmarks: readonly Landmark[] = [
  { part: 'client', declared: /\bconst connect\b/, module: 'client/connection' },
  { part: 'server', declared: /\bfunction createService\b/, module: 'server/create-service' },
]

const compiledEndings = ['.d.ts', '.d.mts', '.js']

/** The runtime that a folder has as one file for each part, as beside generated code. */
export function runtimeIn(folder: string): FoundRuntime {
  return found(({ part, declared }, ending) => declares(join(folder, `${part}${ending}`), declared))
}

/** The runtime that a folder has module by module, as in the package. */
export function runtimeAsModulesIn(folder: string): FoundRuntime {
  return found(({ module }, ending) => existsSync(join(folder, `${module}${ending}`)))
}

function found(isThere: (landmark: Landmark, ending: string) => boolean): FoundRuntime {
  const having = (endings: readonly string[]): readonly RuntimePart[] =>
    landmarks.filter(landmark => endings.some(ending => isThere(landmark, ending))).map(({ part }) => part)
  return { parts: having(['.ts', ...compiledEndings]), compiled: having(['.ts']).length === 0 }
}

function declares(file: string, declared: RegExp): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && declared.test(readFileSync(file, 'utf8'))
}
