import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isFileSystemError, type RuntimeLayout, type RuntimePart } from '../../generator/index.js'
import { displayPath, UsageError } from '../output.js'

/**
 * How generated files import the runtime. Empty if the output has its own copy.
 */
interface RuntimeSpecifier {
  readonly runtime?: string
  readonly runtimeLayout?: RuntimeLayout
  readonly compiledRuntime?: boolean
}

/** Where to look for the runtime, and the parts it needs. */
interface RuntimeRequirements {
  readonly cwd: string
  /** The output folder, absolute. */
  readonly out: string
  /** The parts that the output imports. */
  readonly parts: readonly RuntimePart[]
  /** What the same run writes into the runtime folders of its outputs, by absolute folder. */
  readonly coming: ReadonlyMap<string, RuntimeFolder>
}

/**
 * Finds the runtime for an output to share.
 *
 * @param runtime a folder relative to the current one, else to the output folder; or an installed package
 * @throws UsageError if there is no runtime, or it lacks a part
 */
export function runtimeSpecifier(runtime: string, needs: RuntimeRequirements): RuntimeSpecifier {
  const { cwd, out, parts, coming } = needs
  const folders = runtime === '' ? [] : [resolve(cwd, runtime), resolve(out, runtime)]
  for (const folder of folders) {
    if (folder === defaultRuntimeFolder(out)) return {}
    const layouts = [
      // This run may delete what is now in a folder that it writes.
      ['parts', coming.get(folder) ?? runtimeIn(folder)],
      ['modules', coming.has(folder) ? noRuntime : runtimeAsModulesIn(folder)],
    ] as const
    const found = layouts.filter(([, has]) => has.parts.length > 0)
    const fitting = found.find(([, has]) => parts.every(part => has.parts.includes(part)))
    if (fitting !== undefined) {
      const [runtimeLayout, { compiled }] = fitting
      return { runtime: specifierOf(folder, out), runtimeLayout, compiledRuntime: compiled }
    }
    const [unfit] = found
    if (unfit !== undefined) {
      throw missingPartsError(
        runtime,
        parts.filter(part => !unfit[1].parts.includes(part)),
      )
    }
  }
  const name = packageNameOf(runtime)
  if (name !== undefined && (isInstalled(name, out) || isInstalled(name, cwd))) {
    return { runtime, runtimeLayout: packageLayout(runtime, needs) }
  }
  const outputs = folders.filter(
    folder => coming.has(defaultRuntimeFolder(folder)) || runtimeIn(defaultRuntimeFolder(folder)).parts.length > 0,
  )
  const file = folders.find(isFile)
  if (file !== undefined) {
    throw new UsageError(
      `runtime ${runtime}: ${displayPath(cwd, file)} is a file. Name the folder of a runtime, such as the runtime/ of another output folder.`,
    )
  }
  throw new UsageError(
    `runtime ${runtime === '' ? "''" : runtime}: there is no runtime in that folder, relative to the current folder or to the output folder` +
      `${name === undefined ? '' : ', and no package of that name is installed'}. ` +
      (outputs[0] === undefined
        ? 'Name the runtime/ of another output folder, or leave it out to get one beside the output.'
        : `It is an output folder. Its runtime is ${displayPath(cwd, defaultRuntimeFolder(outputs[0]))}.`),
  )
}

const noRuntime: RuntimeFolder = { parts: [], compiled: false }

/** The runtime folder of an output that shares no other runtime. */
export const defaultRuntimeFolder = (out: string): string => join(out, 'runtime')

const missingPartsError = (runtime: string, lacking: readonly RuntimePart[]): UsageError =>
  new UsageError(
    `runtime ${runtime}: it has no part for a ${lacking.join(' and none for a ')}. Share the runtime of an output folder that ` +
      'needs the same parts, or remove the option to get a runtime beside the output.',
  )

function specifierOf(folder: string, out: string): string {
  const path = relative(out, folder).split(sep).join('/')
  return path === '..' || path.startsWith('../') ? path : `./${path}`
}

/** The layout of a package. Default: the one of Specwright itself, for example before the package is built. */
function packageLayout(runtime: string, { cwd, out, parts }: RuntimeRequirements): RuntimeLayout {
  const has = (module: string): boolean => [out, cwd].some(folder => isResolved(`${runtime}/${module}`, folder))
  if (parts.length > 0 && parts.every(part => has(`${part}.js`))) return 'parts'
  return parts.some(part => has(`${part}/index.js`)) ? 'modules' : 'entrances'
}

function isResolved(specifier: string, folder: string): boolean {
  try {
    createRequire(join(folder, 'index.js')).resolve(specifier)
    return true
  } catch {
    return false
  }
}

/** `@acme/api` of `@acme/api/runtime`; undefined for a path. */
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

interface RuntimeFolder {
  /** Empty if there is no runtime. */
  readonly parts: readonly RuntimePart[]
  /** It is JavaScript and declarations. */
  readonly compiled: boolean
}

/** How to recognize a part of the runtime. */
interface RuntimeMarker {
  readonly part: RuntimePart
  /** A declaration in the file of the part. */
  readonly declared: RegExp
  /** The module of the package with that declaration. */
  readonly module: string
}

const runtimeMarkers: readonly RuntimeMarker[] = [
  { part: 'client', declared: /\bconst connect\b/, module: 'client/index' },
  { part: 'server', declared: /\bfunction createService\b/, module: 'server/index' },
]

const compiledEndings = ['.d.ts', '.d.mts', '.js']

/** The runtime of a folder with one file for each part, as beside generated code. */
function runtimeIn(folder: string): RuntimeFolder {
  return partsFound(({ part, declared }, ending) => declares(join(folder, `${part}${ending}`), declared))
}

/** The runtime of a folder with one file for each module, as in the package. */
function runtimeAsModulesIn(folder: string): RuntimeFolder {
  return partsFound(({ module }, ending) => existsSync(join(folder, `${module}${ending}`)))
}

function partsFound(isThere: (marker: RuntimeMarker, ending: string) => boolean): RuntimeFolder {
  const having = (endings: readonly string[]): readonly RuntimePart[] =>
    runtimeMarkers.filter(marker => endings.some(ending => isThere(marker, ending))).map(({ part }) => part)
  return { parts: having(['.ts', ...compiledEndings]), compiled: having(['.ts']).length === 0 }
}

/** A path through a file, or with a null character, is none; neither is one that this user may not read. */
function isFile(path: string): boolean {
  if (path.includes('\0')) return false
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    if (isFileSystemError(error)) return false
    throw error
  }
}

function declares(file: string, declared: RegExp): boolean {
  return isFile(file) && declared.test(readFileSync(file, 'utf8'))
}
