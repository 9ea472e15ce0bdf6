import {
  type Diagnostic,
  type LoadedSpec,
  loadSpecText,
  locate,
  type Service,
  userError,
} from '../spec/language/index.js'
import { emitClient } from './emit/client/emit-client.js'
import { emitCsdlJson } from './emit/csdl/emit-csdl-json.js'
import { emitCsdlXml } from './emit/csdl/emit-csdl-xml.js'
import type { EmitContext } from './emit/emit-context.js'
import { emitJsonSchema } from './emit/json-schema/structured-schema.js'
import { emitOpenapi } from './emit/openapi/emit-openapi.js'
import { emitHandlers } from './emit/server/emit-handlers.js'
import { emitServer, emitServiceTable } from './emit/server/emit-server.js'
import { emitTypes } from './emit/types/emit-types.js'
import {
  type ArtefactName,
  defaultArtefacts,
  type Emitter,
  type EmitterContext,
  type GenerateOptions,
  type ImportExtension,
  type RuntimeLayout,
  withExtension,
} from './generate-options.js'
import { type GeneratedFile, isOwned, markerLine, ownershipNote } from './generated-file.js'
import { decideNames } from './names/decide-names.js'
import { fileName } from './names/identifiers.js'
import { type NameTable, typeName } from './names/name-table.js'
import { renderDiagnostic } from './text/render-template.js'
import { partsOf, runtimeFiles, runtimeImportPath } from './vendor/runtime-files.js'

export interface SpecText {
  /** Its name in diagnostics. */
  readonly path: string
  readonly text: string
  /** The texts of the files that it includes, by their paths relative to its folder. */
  readonly included?: Readonly<Record<string, string>>
}

/** The generated files, and all diagnostics of the specs. */
export interface Generated {
  /** Complete files, with paths relative to an output folder; none for a spec with errors. */
  readonly files: readonly GeneratedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Generates code in memory: reads only the templates and the runtime of Specwright, and writes nothing.
 *
 * @param sources one spec, or several: then the files of each are in a folder named after its service
 */
export function generate(sources: SpecText | readonly SpecText[], options: GenerateOptions = {}): Generated {
  if ('text' in sources) return generateFrom(loadSource(sources), options)
  const results = sources.map(source => {
    const loaded = loadSource(source)
    const { files, diagnostics } = generateFrom(loaded, options)
    const folder = fileName(loaded.service?.name ?? '')
    return {
      files: sources.length > 1 ? files.map(file => ({ ...file, path: `${folder}/${file.path}` })) : files,
      diagnostics,
    }
  })
  return {
    files: results.flatMap(({ files }) => files),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  }
}

const loadSource = ({ path, text, included = {} }: SpecText): LoadedSpec =>
  loadSpecText(text, path, { included: name => (Object.hasOwn(included, name) ? included[name] : undefined) })

/** The files of one loaded spec; none if it, or its names in generated code, have errors. */
export function generateFrom(
  loaded: LoadedSpec,
  options: GenerateOptions,
): { readonly files: readonly GeneratedFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const { service, source, diagnostics } = loaded
  if (service === undefined) return { files: [], diagnostics }
  const { names, problems } = decideNames(service, options.exactNumbers)
  const found = problems.map(({ at, related, ...problem }) =>
    locate(
      {
        ...problem,
        at,
        on: 'key',
        ...(related === undefined ? {} : { related: [{ ...related, on: 'key' as const }] }),
      },
      source,
    ),
  )
  const all = [...diagnostics, ...found]
  if (found.length > 0) return { files: [], diagnostics: all }
  const { templates, emitters = [] } = options
  try {
    const context = emitContext(service, names, options)
    const own = emitService(context, options)
    const added = runEmitters(emitters, service, context, own, options.configPath ?? source.path)
    const files = [...own, ...added.files].sort((a, b) => (a.path < b.path ? -1 : 1))
    const unmarked = templates === undefined ? [] : own.filter(isUnmarked).map(file => unmarkedDiagnostic(file, source))
    const more = [...all, ...added.diagnostics, ...unmarked]
    return { files: more.length > all.length ? [] : files, diagnostics: more }
  } catch (error) {
    const failure = templates === undefined ? undefined : renderDiagnostic(error, templates)
    if (failure === undefined) throw error
    return { files: [], diagnostics: [...all, failure] }
  }
}

/** Whether the next run could not recognize the file as its own. */
export const isUnmarked = ({ path, text, kind }: GeneratedFile): boolean => kind === 'generated' && !isOwned(path, text)

function unmarkedDiagnostic({ path }: GeneratedFile, source: LoadedSpec['source']): Diagnostic {
  const message = `${path} lacks the ownership marker, because of your templates. Put {{#module}} around the template of the file.`
  return locate({ code: 'template/unmarked', message, at: '' }, source)
}

/** The default location of the runtime. */
const defaultRuntime = './runtime'

function emitContext(service: Service, names: NameTable, options: GenerateOptions): EmitContext {
  const runtime = runtimeOf(options)
  const layout: RuntimeLayout =
    options.runtime === undefined
      ? 'parts'
      : (options.runtimeLayout ?? (options.runtime.startsWith('.') ? 'modules' : 'entrances'))
  return {
    service,
    names,
    ownPath: file => withExtension(file, options.importExtension ?? 'js'),
    runtimePath: entrance =>
      runtimeImportPath(entrance, { path: runtime, layout, extension: runtimeExtension(runtime, options) }),
    templates: options.templates,
  }
}

const runtimeOf = ({ runtime = defaultRuntime }: GenerateOptions): string =>
  runtime.replaceAll('\\', '/').replace(/\/+$/, '')

/** All files of a service. */
function emitService(context: EmitContext, options: GenerateOptions): readonly GeneratedFile[] {
  const { service } = context
  const wanted = new Set<ArtefactName>(options.only ?? defaultArtefacts)
  const code: readonly GeneratedFile[] = [
    ...(wanted.has('types') || wanted.has('client') || wanted.has('server') ? [emitTypes(context)] : []),
    ...(wanted.has('client') ? emitClient(context) : []),
    ...(wanted.has('server') ? [emitServer(context), emitServiceTable(context), ...emitHandlers(context)] : []),
  ]
  const documents: readonly GeneratedFile[] = [
    ...(wanted.has('openapi') ? [document('openapi.json', emitOpenapi(service))] : []),
    ...(wanted.has('csdl')
      ? [document('metadata.xml', emitCsdlXml(service)), document('metadata.json', emitCsdlJson(service))]
      : []),
    ...(wanted.has('jsonschema') ? [document('schemas.json', emitJsonSchema(service))] : []),
  ]
  const vendored =
    options.runtime === undefined
      ? runtimeFiles(partsOf(options.only), service.name, options.compiledRuntime === true)
      : []
  return [...code, ...documents, ...vendored]
}

/** A package determines the names of its modules, and JavaScript never ends in `.ts`. */
function runtimeExtension(
  runtime: string,
  { importExtension = 'js', compiledRuntime }: GenerateOptions,
): ImportExtension {
  if (!runtime.startsWith('.')) return 'js'
  return importExtension === 'ts' && compiledRuntime === true ? 'js' : importExtension
}

const document = (path: string, text: string): GeneratedFile => ({ path, text, kind: 'generated' })

/** What emitters returned. */
interface EmitterResult {
  readonly files: readonly GeneratedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Runs emitters of a user and checks what they return.
 *
 * @param others the files that the generator emits itself
 * @param path the file that the diagnostics name
 */
export function runEmitters(
  emitters: readonly Emitter[],
  service: Service,
  { names, ownPath }: { readonly names: NameTable; readonly ownPath: (specifier: string) => string },
  others: readonly GeneratedFile[],
  path: string,
): EmitterResult {
  const context: EmitterContext = {
    header: file => markerLine(file, service.name),
    note: ownershipNote(service.name),
    typeName: type => typeName(names, type),
    importPath: ownPath,
  }
  const taken = new Map(others.map(file => [file.path.toLowerCase(), 'Specwright itself']))
  const files: GeneratedFile[] = []
  const diagnostics: Diagnostic[] = []
  for (const { name, emit } of emitters) {
    const report = (message: string): void => {
      diagnostics.push(emitterDiagnostic(`The emitter ${JSON.stringify(name)} ${message}`, path))
    }
    let emitted: unknown
    try {
      emitted = emit(service, context)
    } catch (error) {
      report(`failed: ${userError(error).replaceAll(/\n\s*/g, ' ')}`)
      continue
    }
    if (!Array.isArray(emitted)) {
      const found = emitted instanceof Promise ? 'a promise, but emitters are synchronous' : `${typeof emitted}`
      report(`returned ${found}. Return a list of files, \`[{ path, text }]\`.`)
      continue
    }
    const list: readonly unknown[] = emitted
    for (const value of list) {
      const file = fileOf(value)
      if (typeof file === 'string') {
        report(file)
        continue
      }
      const owner = taken.get(file.path.toLowerCase())
      if (owner !== undefined) report(`returned ${file.path}, which ${owner} writes. Choose another path.`)
      else if (file.kind === 'generated' && !isOwned(file.path, file.text)) report(unmarked(file.path))
      else files.push(file)
      taken.set(file.path.toLowerCase(), `the emitter ${JSON.stringify(name)}`)
    }
  }
  return { files, diagnostics }
}

const unmarked = (path: string): string =>
  path.endsWith('.json')
    ? `returned ${path} without the ownership marker. Begin the document with the member "$comment", whose value is \`context.note\`, indented by two spaces.`
    : `returned ${path} without the ownership marker. Begin the text with \`\${context.header(path)}\\n\`.`

/** A file that an emitter returned, or what is wrong with it. */
function fileOf(value: unknown): GeneratedFile | string {
  if (typeof value !== 'object' || value === null)
    return `returned ${typeof value} as a file. Return \`{ path, text }\`.`
  const { path, text, kind = 'generated' }: Readonly<Record<string, unknown>> = { ...value }
  if (typeof path !== 'string' || typeof text !== 'string') {
    return 'returned a file whose `path` or `text` is not a string. Return `{ path, text }`.'
  }
  if (kind !== 'generated' && kind !== 'once') return `returned ${path} with the kind ${JSON.stringify(kind)}.`
  const isBelow = path.split('/').every(segment => segment !== '' && segment !== '.' && segment !== '..')
  if (!isBelow || /[\\:\0]/.test(path)) {
    return `returned the path ${JSON.stringify(path)}. Return one below the output folder, with \`/\` between names.`
  }
  return { path, text, kind }
}

function emitterDiagnostic(message: string, path: string): Diagnostic {
  const location = { line: 1, column: 1, offset: 0, length: 0 }
  return { severity: 'error', code: 'emitter/failed', message, path, location, related: [] }
}
