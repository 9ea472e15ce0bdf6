import type { Operation, Service } from '../../../spec/language/index.js'
import { type GeneratedFile, ownershipHeader } from '../../generated-file.js'
import { type NameTable, typeName } from '../../names/name-table.js'
import { renderTemplate } from '../../text/render-template.js'
import { annotatedDocs } from '../docs.js'
import { facetNotes } from '../property-notes.js'
import { derivedStructuredTypes, writeUses } from '../write-shapes.js'
import { type InterfaceView, parametersInterface, readInterface, type TypesView, writeInterface } from './interfaces.js'
import { valueTypeText } from './value-types.js'

/** `types.ts`: what the service sends and accepts, in types and enumerations only. */
export function emitTypes(service: Service, names: NameTable): GeneratedFile {
  return { path: 'types.ts', text: renderTemplate('types', typesView(service, names)), kind: 'generated' }
}

function typesView(service: Service, names: NameTable): TypesView {
  return {
    header: ownershipHeader(service.name),
    openEnum: service.enumTypes.length > 0,
    interfaces: interfaces(service, names),
    enumerations: service.enumTypes.map(type => ({
      docs: annotatedDocs(type, type.flags ? ['Several may be combined: `a,b`.'] : []),
      name: typeName(names, type),
      members: type.members.map(member => ({ docs: annotatedDocs(member), name: member.name })),
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
}

function interfaces(service: Service, names: NameTable): readonly InterfaceView[] {
  const uses = writeUses(service)
  const derived = derivedStructuredTypes(service)
  return [
    ...[...service.entityTypes, ...service.complexTypes].flatMap(type => [
      readInterface(names, type, derived.get(type) ?? []),
      ...(['create', 'patch', 'replace'] as const)
        .filter(use => uses.get(type)?.has(use) === true && !(type.kind === 'complexType' && use === 'replace'))
        .map(use => writeInterface(names, type, use)),
    ]),
    ...calledOperations(service)
      .filter(operation => operation.parameters.length > 0)
      .map(operation => parametersInterface(names, operation)),
  ]
}

/** The operations that a path calls, each once. */
const calledOperations = (service: Service): readonly Operation[] => [
  ...new Set(service.endpoints.flatMap(endpoint => (endpoint.kind === 'call' ? [endpoint.operation] : []))),
]
