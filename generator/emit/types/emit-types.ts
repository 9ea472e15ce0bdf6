import type { Operation, Service } from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { typeName } from '../../names/name-table.js'
import { scope } from '../../text/file-scope.js'
import { renderTemplate } from '../../text/render-template.js'
import { annotatedDocs, facetNotes, memberDocs } from '../doc-comments.js'
import { codeFile, type EmitContext } from '../emit-context.js'
import { derivedStructuredTypes, namedBodyTypes, writeUses } from '../write-shapes.js'
import { type InterfaceView, parametersInterface, readInterface, writeInterfaces } from './interfaces.js'
import { valueTypeText } from './value-types.js'

/** `types.ts`: what the service sends and accepts, in types and enumerations only. */
export function emitTypes(context: EmitContext): GeneratedFile {
  const { service, names } = context
  const view = {
    openEnum: service.enumTypes.length > 0,
    interfaces: interfaces(context),
    enumerations: service.enumTypes.map(type => ({
      docs: annotatedDocs(type, type.flags ? ['Several can be combined: `a,b`.'] : []),
      name: typeName(names, type),
      members: type.members.map(member => ({ docs: memberDocs(member), name: member.name })),
    })),
    definitions: service.typeDefinitions.map(type => {
      const underlying = { kind: 'primitive', name: type.underlying } as const
      return {
        docs: annotatedDocs(type, facetNotes(underlying, type)),
        name: typeName(names, type),
        type: valueTypeText(names, { type: underlying, collection: false, nullable: false }, 'read', name => name),
      }
    }),
  }
  const file = codeFile(context, 'client', scope([]))
  return { path: 'types.ts', text: renderTemplate('types', view, file), kind: 'generated' }
}

function interfaces({ service, names }: EmitContext): readonly InterfaceView[] {
  const derived = derivedStructuredTypes(service)
  const uses = writeUses(service)
  const structured = [...service.entityTypes, ...service.complexTypes]
  const written = writeInterfaces(names, structured, uses, namedBodyTypes(service), service.features)
  return [
    ...structured.flatMap(type => [readInterface(names, type, derived.get(type) ?? []), ...(written.get(type) ?? [])]),
    ...calledOperations(service)
      .filter(operation => operation.parameters.length > 0)
      .map(operation => parametersInterface(names, operation)),
  ]
}

/** The operations that a path calls, each once. */
const calledOperations = (service: Service): readonly Operation[] => [
  ...new Set(service.endpoints.flatMap(endpoint => (endpoint.kind === 'call' ? [endpoint.operation] : []))),
]
