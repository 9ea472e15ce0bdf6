import type { Service } from '../../spec/language/model/index.js'
import type { NameTable } from './name-table.js'
import { typeName } from './name-table.js'
import { namedTypes } from './named-types.js'
import { operationIdentifier } from './operation-identifier.js'

/** Every name that `types.ts` may export, so that no other file of the service declares one of them. */
export function typeExports(service: Service, names: NameTable): readonly string[] {
  return [
    'OpenEnum',
    ...namedTypes(service).flatMap(type => {
      const name = typeName(names, type)
      const isStructured = type.kind === 'entityType' || type.kind === 'complexType'
      return isStructured ? [name, `${name}Create`, `${name}Patch`, `${name}Replace`] : [name]
    }),
    ...service.operations.map(operation => `${operationIdentifier(operation)}Parameters`),
  ]
}
