import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import {
  type ArtefactName,
  artefactNames,
  type ExactNumbers,
  exactNumbersTypes,
  type ImportExtension,
  importExtensions,
} from '../generator/index.js'
import {
  type Diagnostic,
  formatDiagnostics,
  type LoadedSpec,
  readSource,
  type Source,
  suggest,
} from '../spec/language/index.js'
import { type LoadedConfig, loadConfig } from './config.js'
import { displayPath, shellQuote, UsageError } from './output.js'
import type { Terminal } from './terminal.js'

/** The name of the project file. */
const projectFile = 'specwright.yaml'

const keys = ['spec', 'out', 'only', 'runtime', 'compiledRuntime', 'importExtension', 'exactNumbers']

/** The error about a part of the project file, at a JSON Pointer. */
type Fail = (pointer: string, message: string) => UsageError

/**
 * Reads the services of a project, from `specwright.config.ts` or from `specwright.yaml`:
 *
 *     services:
 *       - { spec: spec/todo.yaml, out: src/todo, only: [types, client], runtime: src/runtime }
 *
 * Paths are relative to the file.
 *
 * @param folder the folder of the file
 * @param config the configuration there
 * @param command an example of the command with a spec, for the message
 * @throws UsageError when it is missing or wrong, with the place
 */
export async function readProject(folder: string, config: LoadedConfig | undefined, command: string): Promise<Project> {
  const path = join(folder, projectFile)
  if (config?.services !== undefined) {
    if (existsSync(path)) {
      throw new UsageError(`Both ${config.name} and ${projectFile} have services. Remove those of one.`)
    }
    const fail: Fail = (pointer, message) =>
      new UsageError(`${config.name}: ${pointer.slice(1).replaceAll('/', '.')}${pointer === '' ? '' : ': '}${message}`)
    return { path: config.path, services: readServices(config.services, folder, fail) }
  }
  if (!existsSync(path)) {
    throw new UsageError(`No spec was named, and there is no ${projectFile} here. Name a spec: specwright ${command}`)
  }
  const { source, diagnostics } = await readSource(relative(process.cwd(), path))
  if (diagnostics.some(({ code }) => code !== 'yaml/empty'))
    throw new UsageError(formatDiagnostics(diagnostics, { format: 'plain' }))
  const fail: Fail = (pointer, message) => projectError(source, pointer, message)
  const document = source.document
  const listed = isRecord(document) ? document['services'] : undefined
  if (!isRecord(document) || !Array.isArray(listed)) throw fail('', expectedServices)
  for (const key of Object.keys(document)) {
    if (key !== 'services') throw fail(`/${key}`, `unknown key "${key}". The only key is \`services\``)
  }
  const services = readServices(listed, folder, fail, pointer => `line ${source.at(pointer).line}`)
  return { path, services }
}

const expectedServices = 'expected a list `services`, each with `spec` and `out`'

function readServices(
  services: unknown,
  folder: string,
  fail: Fail,
  placeOf: (pointer: string) => string = pointer => pointer.slice(1).replaceAll('/', '.'),
): readonly ProjectService[] {
  if (!Array.isArray(services) || services.length === 0) throw fail('', expectedServices)
  const read = services.map((entry: unknown, index) => readService(fail, `/services/${index}`, entry, folder))
  refuseSharedFolders(fail, read, placeOf)
  return read
}

/** In a shared folder, each service would delete the files of the other as no longer generated. */
function refuseSharedFolders(
  fail: Fail,
  services: readonly ProjectService[],
  placeOf: (pointer: string) => string,
): void {
  const taken = new Map<string, number>()
  for (const [index, { out }] of services.entries()) {
    const first = taken.get(out)
    if (first !== undefined) {
      const place = placeOf(`/services/${first}/out`)
      throw fail(`/services/${index}/out`, `${place} already names this folder. Each service needs its own`)
    }
    taken.set(out, index)
  }
}

function readService(fail: Fail, at: string, entry: unknown, folder: string): ProjectService {
  if (!isRecord(entry)) throw fail(at, 'expected `{ spec: …, out: … }`')
  for (const key of Object.keys(entry)) {
    if (!keys.includes(key)) throw fail(`${at}/${key}`, `unknown key "${key}". Known keys: ${keys.join(', ')}`)
  }
  const text = (key: string): string => {
    const value = entry[key]
    if (typeof value !== 'string' || value === '') throw fail(`${at}/${key}`, `expected a path in \`${key}\``)
    return value
  }
  const path = (key: string): string => resolve(folder, text(key))
  return {
    spec: path('spec'),
    out: path('out'),
    ...('only' in entry ? { only: readArtefacts(fail, `${at}/only`, entry['only']) } : {}),
    ...('runtime' in entry ? { runtime: text('runtime') } : {}),
    ...('compiledRuntime' in entry ? { compiledRuntime: readCompiledRuntime(fail, at, entry) } : {}),
    ...('importExtension' in entry
      ? { importExtension: readExtension(fail, `${at}/importExtension`, entry['importExtension']) }
      : {}),
    ...('exactNumbers' in entry
      ? { exactNumbers: readExactNumbers(fail, `${at}/exactNumbers`, entry['exactNumbers']) }
      : {}),
  }
}

function readCompiledRuntime(fail: Fail, at: string, entry: Readonly<Record<string, unknown>>): boolean {
  const { compiledRuntime, runtime } = entry
  const place = `${at}/compiledRuntime`
  if (typeof compiledRuntime !== 'boolean') throw fail(place, 'expected true or false in `compiledRuntime`')
  if (compiledRuntime && runtime !== undefined) {
    throw fail(place, 'a service with a `runtime` has no runtime of its own to compile. Remove one of the two')
  }
  return compiledRuntime
}

function readArtefacts(fail: Fail, at: string, value: unknown): readonly ArtefactName[] {
  const expected = `expected a list of ${artefactNames.join(', ')}`
  if (!Array.isArray(value) || value.length === 0) throw fail(at, expected)
  return value.map((name: unknown, index) => {
    const known = artefactNames.find(artefact => artefact === name)
    if (known === undefined) throw fail(`${at}/${index}`, expected)
    return known
  })
}

function readExtension(fail: Fail, at: string, value: unknown): ImportExtension {
  const known = importExtensions.find(extension => extension === value)
  if (known === undefined) throw fail(at, `expected one of ${importExtensions.join(', ')} in \`importExtension\``)
  return known
}

function readExactNumbers(fail: Fail, at: string, value: unknown): ExactNumbers {
  const known = exactNumbersTypes.find(type => type === value)
  if (known === undefined) throw fail(at, `expected one of ${exactNumbersTypes.join(', ')} in \`exactNumbers\``)
  return known
}

function projectError(source: Source, pointer: string, message: string): UsageError {
  const { line, column } = source.at(pointer)
  return new UsageError(`${source.path}:${line}:${column}: ${message}`)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The content of `specwright.yaml`: the services that a project generates. Paths are absolute. */
interface Project {
  readonly path: string
  readonly services: readonly ProjectService[]
}

interface ProjectService {
  readonly spec: string
  readonly out: string
  /** Artefacts; absent: all that `generate` emits by default. */
  readonly only?: readonly ArtefactName[]
  /** The folder of a shared runtime, as the user wrote it, or the name of a package; absent: one beside the output. */
  readonly runtime?: string
  /** The runtime beside the output is JavaScript and declarations. */
  readonly compiledRuntime?: boolean
  /** The extension of relative imports in generated code; absent: `js`. */
  readonly importExtension?: ImportExtension
  /** The TypeScript type of Int64 and Decimal; absent: `number`. */
  readonly exactNumbers?: ExactNumbers
}

/** The specs of the project in the current folder, relative to it. */
export async function specsOf(terminal: Terminal): Promise<readonly string[]> {
  const project = await readProject(terminal.cwd, await loadConfig(terminal.cwd), 'validate service.yaml')
  return [...new Set(project.services.map(({ spec }) => displayPath(terminal.cwd, spec)))]
}

/** The size in bytes from which reading a spec shows progress. */
const large = 300_000

/** Reads and checks a spec. Shows progress for a large one. */
export async function loadSpec(terminal: Terminal, path: string): Promise<LoadedSpec> {
  const { loadSpec: load } = await import('../spec/language/index.js')
  const size = sizeOf(path)
  if (size === undefined) {
    const loaded = await load(path)
    const begin = `Start one with: specwright init ${shellQuote(path)}`
    return { ...loaded, diagnostics: withMissingFileHint(loaded.diagnostics, path, begin) }
  }
  if (size < large) return load(path)
  terminal.status(`Reading ${path} …`)
  try {
    return await load(path)
  } finally {
    terminal.status('')
  }
}

/** In bytes. Undefined if the file cannot be read. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch {
    // Reading the spec reports the cause.
    return undefined
  }
}

/**
 * Adds a hint to the diagnostic of a missing file: a similar name in its folder, or how to create one.
 *
 * @param path the missing file
 * @param otherwise the hint if no name is similar
 */
export function withMissingFileHint(
  diagnostics: readonly Diagnostic[],
  path: string,
  otherwise: string,
): readonly Diagnostic[] {
  return diagnostics.map(diagnostic => {
    if (diagnostic.code !== 'file/not-found' || diagnostic.path !== path) return diagnostic
    const near = suggest(basename(path), namesIn(dirname(path)))
    return near === undefined
      ? { ...diagnostic, message: `${diagnostic.message} ${otherwise}` }
      : { ...diagnostic, suggestion: join(dirname(path), near) }
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Without the folder there is no similar name.
    return []
  }
}
