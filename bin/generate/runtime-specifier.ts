import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { RuntimeLayout, RuntimePart } from '../../generator/index.js'
import { UsageError } from '../usage-error.js'

/** What generated files import the runtime by, and how it is divided there. */
export interface RuntimeSpecifier {
  readonly runtime: string
  readonly runtimeLayout: RuntimeLayout
}

/** Where the runtime is looked for, and what is needed of it. */
export interface RuntimeNeeds {
  readonly cwd: string
  /** The output folder, absolute. */
  readonly out: string
  /** The parts that the output stands on: `client`, `server`. */
  readonly parts: readonly RuntimePart[]
  /** Files that the same run writes, absolute. */
  readonly coming: ReadonlySet<string>
}

/**
 * Finds the runtime that `--runtime` names.
 *
 * @param runtime a folder, from the current one or, when it is only there, from the output folder; or an installed package
 * @throws UsageError when it leads to no runtime, or to one that lacks a part
 */
export function runtimeSpecifier(runtime: string, { cwd, out, parts, coming }: RuntimeNeeds): RuntimeSpecifier {
  const isThere = (file: string): boolean => coming.has(file) || existsSync(file)
  for (const folder of [resolve(cwd, runtime), resolve(out, runtime)]) {
    const path = relative(out, folder).split(sep).join('/')
    const from = path.startsWith('.') ? path : `./${path}`
    const present = allParts.filter(part => isThere(join(folder, `${part}.ts`)))
    const lacking = parts.filter(part => !present.includes(part))
    if (present.length > 0 && lacking.length === 0) return { runtime: from, runtimeLayout: 'parts' }
    if (allParts.some(part => existsSync(join(folder, part)))) return { runtime: from, runtimeLayout: 'modules' }
    if (present.length > 0) throw lacks(runtime, lacking)
  }
  const name = packageNameOf(runtime)
  if (name !== undefined && (isInstalled(name, out) || isInstalled(name, cwd))) {
    return { runtime, runtimeLayout: 'modules' }
  }
  throw new UsageError(
    `--runtime ${runtime}: there is no runtime in that folder, neither from here nor from the output folder` +
      `${name === undefined ? '' : ', and no package of that name is installed'}. ` +
      'Name the runtime/ of another output folder, or leave the option out to get one beside the output.',
  )
}

const allParts: readonly RuntimePart[] = ['client', 'server']

const lacks = (runtime: string, lacking: readonly string[]): UsageError =>
  new UsageError(
    `--runtime ${runtime}: the runtime in that folder has no ${lacking.map(part => `${part}.ts`).join(' and no ')}. ` +
      'Share that of an output folder in which as much is generated, or leave the option out to get one beside the output.',
  )

/** `@acme/api` of `@acme/api/runtime`; undefined for what can only be a path. */
function packageNameOf(specifier: string): string | undefined {
  if (isAbsolute(specifier) || specifier.startsWith('.')) return undefined
  return /^(?:@[^/\\]+\/)?[^/\\@]+/.exec(specifier)?.[0]
}

/** Whether a folder, or one above it, has the package. */
function isInstalled(name: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', name))) return true
  const parent = dirname(folder)
  return parent !== folder && isInstalled(name, parent)
}
