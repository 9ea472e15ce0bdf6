import type { Service } from '../../spec/language/model/index.js'
import { type ArtefactName, defaultArtefacts } from '../artefact-name.js'
import type { GenerateOptions } from '../generate-options.js'
import type { GeneratedFile } from '../generated-file.js'
import type { NameTable } from '../names/name-table.js'
import { entryModules } from '../runtime-files/entry-modules.js'
import { runtimeFiles } from '../runtime-files/runtime-files.js'
import { runtimeModules } from '../runtime-files/runtime-modules.js'
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

/** Where the runtime is when it is copied beside the output. */
const besideOutput = './runtime'

/** All files of a service, by path in code-unit order. */
export function emitService(
  service: Service,
  names: NameTable,
  options: GenerateOptions = {},
): readonly GeneratedFile[] {
  const wanted = new Set<ArtefactName>(options.only ?? defaultArtefacts)
  const runtime = (options.runtime ?? besideOutput).replaceAll('\\', '/').replace(/\/+$/, '')
  const context: EmitContext = { service, names, runtime }
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
  const entries = (['client', 'server'] as const).flatMap(artefact =>
    wanted.has(artefact) ? entryModules[artefact] : [],
  )
  const copied = options.runtime === undefined ? runtimeFiles([...runtimeModules(code), ...entries], service.name) : []
  return [...code, ...documents, ...copied].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const document = (path: string, text: string): GeneratedFile => ({ path, text, kind: 'generated' })
