import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import {
  type ArtefactName,
  artefactNames,
  type ExactNumbers,
  exactNumbersTypes,
  type ImportExtension,
  importExtensions,
} from '../generator/index.js'
import { formatDiagnostics, readSource, type Source } from '../spec/language/index.js'
import { UsageError } from './exit-code.js'
import { displayPath } from './output.js'
import type { Terminal } from './terminal.js'

/** The name of the project file. */
const projectFile = 'specwright.yaml'

const keys = ['spec', 'out', 'only', 'runtime', 'compiledRuntime', 'importExtension', 'exactNumbers']

/**
 * Reads `specwright.yaml`:
 *
 *     services:
 *       - { spec: spec/todo.yaml, out: src/todo, only: [types, client], runtime: src/runtime }
 *
 * Paths are relative to the file.
 *
 * @param folder the folder of the file
 * @throws UsageError when it is missing or wrong, with the place
 */
export async function readProject(folder: string): Promise<Project> {
  const path = join(folder, projectFile)
  if (!existsSync(path)) {
    throw new UsageError(
      `No spec was named, and there is no ${projectFile} here. Name a spec: specwright COMMAND service.yaml`,
    )
  }
  const { source, diagnostics } = await readSource(relative(process.cwd(), path))
  if (diagnostics.some(({ code }) => code !== 'yaml/empty'))
    throw new UsageError(formatDiagnostics(diagnostics, { format: 'plain' }))
  const document = source.document
  const services = isRecord(document) ? document['services'] : undefined
  if (!isRecord(document) || !Array.isArray(services) || services.length === 0) {
    throw projectError(source, '', 'expected a list `services`, each with `spec` and `out`')
  }
  for (const key of Object.keys(document)) {
    if (key !== 'services') throw projectError(source, `/${key}`, `unknown key "${key}". The only key is \`services\``)
  }
  const read = services.map((entry, index) => readService(source, `/services/${index}`, entry, dirname(path)))
  refuseSharedFolders(source, read)
  return { path, services: read }
}

/** In a shared folder, each service would delete the files of the other as no longer generated. */
function refuseSharedFolders(source: Source, services: readonly ProjectService[]): void {
  const taken = new Map<string, number>()
  for (const [index, { out }] of services.entries()) {
    const first = taken.get(out)
    if (first !== undefined) {
      const { line } = source.at(`/services/${first}/out`)
      throw projectError(
        source,
        `/services/${index}/out`,
        `line ${line} already names this folder. Each service needs its own`,
      )
    }
    taken.set(out, index)
  }
}

function readService(source: Source, at: string, entry: unknown, folder: string): ProjectService {
  if (!isRecord(entry)) throw projectError(source, at, 'expected `{ spec: …, out: … }`')
  for (const key of Object.keys(entry)) {
    if (!keys.includes(key))
      throw projectError(source, `${at}/${key}`, `unknown key "${key}". Known keys: ${keys.join(', ')}`)
  }
  const text = (key: string): string => {
    const value = entry[key]
    if (typeof value !== 'string' || value === '')
      throw projectError(source, `${at}/${key}`, `expected a path in \`${key}\``)
    return value
  }
  const path = (key: string): string => resolve(folder, text(key))
  return {
    spec: path('spec'),
    out: path('out'),
    ...('only' in entry ? { only: readArtefacts(source, `${at}/only`, entry['only']) } : {}),
    ...('runtime' in entry ? { runtime: text('runtime') } : {}),
    ...('compiledRuntime' in entry ? { compiledRuntime: readCompiledRuntime(source, at, entry) } : {}),
    ...('importExtension' in entry
      ? { importExtension: readExtension(source, `${at}/importExtension`, entry['importExtension']) }
      : {}),
    ...('exactNumbers' in entry
      ? { exactNumbers: readExactNumbers(source, `${at}/exactNumbers`, entry['exactNumbers']) }
      : {}),
  }
}

function readCompiledRuntime(source: Source, at: string, entry: Readonly<Record<string, unknown>>): boolean {
  const { compiledRuntime, runtime } = entry
  const place = `${at}/compiledRuntime`
  if (typeof compiledRuntime !== 'boolean')
    throw projectError(source, place, 'expected true or false in `compiledRuntime`')
  if (compiledRuntime && runtime !== undefined) {
    throw projectError(
      source,
      place,
      'a service with a `runtime` has no runtime of its own to compile. Remove one of the two',
    )
  }
  return compiledRuntime
}

function readArtefacts(source: Source, at: string, value: unknown): readonly ArtefactName[] {
  const expected = `expected a list of ${artefactNames.join(', ')}`
  if (!Array.isArray(value) || value.length === 0) throw projectError(source, at, expected)
  return value.map((name: unknown, index) => {
    const known = artefactNames.find(artefact => artefact === name)
    if (known === undefined) throw projectError(source, `${at}/${index}`, expected)
    return known
  })
}

function readExtension(source: Source, at: string, value: unknown): ImportExtension {
  const known = importExtensions.find(extension => extension === value)
  if (known === undefined)
    throw projectError(source, at, `expected one of ${importExtensions.join(', ')} in \`importExtension\``)
  return known
}

function readExactNumbers(source: Source, at: string, value: unknown): ExactNumbers {
  const known = exactNumbersTypes.find(type => type === value)
  if (known === undefined)
    throw projectError(source, at, `expected one of ${exactNumbersTypes.join(', ')} in \`exactNumbers\``)
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
  const project = await readProject(terminal.cwd)
  return [...new Set(project.services.map(({ spec }) => displayPath(terminal.cwd, spec)))]
}
