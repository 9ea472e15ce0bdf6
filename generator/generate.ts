import { type Diagnostic, type LoadedSpec, loadSpecText, locate, type Service } from '../spec/language/index.js'
import { runEmitters } from './custom-emitters.js'
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
  type GenerateOptions,
  type ImportExtension,
  type RuntimeLayout,
  withExtension,
} from './generate-options.js'
import { type GeneratedFile, isOwned } from './generated-file.js'
import { decideNames } from './names/decide-names.js'
import { fileName } from './names/identifiers.js'
import type { NameTable } from './names/name-table.js'
import { renderDiagnostic } from './text/render-template.js'
import { partsOf, runtimeFiles, runtimeImportPath } from './vendor/runtime-files.js'

/** The text of a spec. */
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
