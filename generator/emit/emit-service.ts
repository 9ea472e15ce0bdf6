import type { Service } from '../../spec/language/model/index.js'
import { type ArtefactName, defaultArtefacts } from '../artefact-name.js'
import type { GenerateOptions } from '../generate-options.js'
import type { GeneratedFile } from '../generated-file.js'
import type { NameTable } from '../names/name-table.js'
import { runtimeFiles } from '../runtime-files/runtime-files.js'
import { runtimeModules } from '../runtime-files/runtime-modules.js'
import { emitClient } from './client/emit-client.js'
import type { EmitContext } from './emit-context.js'
import { emitHandlers } from './handlers/emit-handlers.js'
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
    ...(wanted.has('client') ? [emitClient(context)] : []),
    ...(wanted.has('server') ? [emitServer(context), emitServiceTable(context), ...emitHandlers(context)] : []),
  ]
  const copied = options.runtime === undefined ? runtimeFiles(runtimeModules(code), service.name) : []
  return [...code, ...copied].sort((a, b) => (a.path < b.path ? -1 : 1))
}
