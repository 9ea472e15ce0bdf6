import type { Service } from '../../spec/language/model/index.js'
import { type ArtefactName, defaultArtefacts } from '../artefact-name.js'
import type { GenerateOptions } from '../generate-options.js'
import type { GeneratedFile } from '../generated-file.js'
import { type ImportExtension, withExtension } from '../import-extension.js'
import type { NameTable } from '../names/name-table.js'
import { importPath } from '../runtime-files/import-path.js'
import { partsOf } from '../runtime-files/parts-of.js'
import { runtimeFiles } from '../runtime-files/runtime-files.js'
import type { RuntimeLayout } from '../runtime-files/runtime-layout.js'
import { emitClient } from './client/emit-client.js'
import { emitCsdlJson } from './csdl-json/emit-csdl-json.js'
import { emitCsdlXml } from './csdl-xml/emit-csdl-xml.js'
import type { EmitContext } from './emit-context.js'
import { emitHandlers } from './handlers/emit-handlers.js'
import { emitJsonSchema } from './json-schema/emit-json-schema.js'
import { emitOpenapi } from './openapi/emit-openapi.js'
import { emitServer } from './server/emit-server.js'
import { emitServiceTable } from './server/emit-service-table.js'
import { emitTypes } from './types/emit-types.js'

/** Where the runtime is unless it is said otherwise. */
const besideOutput = './runtime'

/** All files of a service, by path in code-unit order. */
export function emitService(
  service: Service,
  names: NameTable,
  options: GenerateOptions = {},
): readonly GeneratedFile[] {
  const wanted = new Set<ArtefactName>(options.only ?? defaultArtefacts)
  const runtime = (options.runtime ?? besideOutput).replaceAll('\\', '/').replace(/\/+$/, '')
  const layout: RuntimeLayout = options.runtime === undefined ? 'parts' : (options.runtimeLayout ?? 'modules')
  const context: EmitContext = {
    service,
    names,
    ownPath: file => withExtension(file, options.importExtension ?? 'js'),
    importPath: module => importPath(module, { path: runtime, layout, extension: runtimeExtension(runtime, options) }),
  }
  const code: readonly GeneratedFile[] = [
    ...(wanted.has('types') || wanted.has('client') || wanted.has('server') ? [emitTypes(service, names)] : []),
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
  return [...code, ...documents, ...vendored].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A package says itself what its modules are called, and JavaScript is never called `.ts`. */
function runtimeExtension(
  runtime: string,
  { importExtension = 'js', compiledRuntime }: GenerateOptions,
): ImportExtension {
  if (!runtime.startsWith('.')) return 'js'
  return importExtension === 'ts' && compiledRuntime === true ? 'js' : importExtension
}

const document = (path: string, text: string): GeneratedFile => ({ path, text, kind: 'generated' })
