import type { ComplexType, EntityType, EnumType, Service, TypeDefinition } from '../../spec/language/index.js'
import type { ExactNumbers } from '../generate-options.js'
import { operationIdentifier } from './identifiers.js'
import type { ResourceNode } from './resource-tree.js'

/** A type that generated code declares by name. */
export type NamedType = EntityType | ComplexType | EnumType | TypeDefinition

/** Every name that generated code uses, decided before any of it is written. */
export interface NameTable {
  /** The name of the client, `Directory`; `createDirectory` creates it. */
  readonly service: string
  /** The name of each type, `DriveItem`; `DriveItemCreate` and the like follow from it. */
  readonly types: ReadonlyMap<NamedType, string>
  readonly resources: ResourceNode
  /** The TypeScript type of Int64 and Decimal. */
  readonly exactNumbers: ExactNumbers
}

/**
 * The name of a type.
 *
 * @throws an error for a type that is not the service's: a bug
 */
export function typeName(names: NameTable, type: NamedType): string {
  const name = names.types.get(type)
  if (name === undefined) throw new Error(`the type ${type.name} has no name`)
  return name
}

/** All named types, in the order of the spec within each kind. */
export const namedTypes = (service: Service): readonly NamedType[] => [
  ...service.entityTypes,
  ...service.complexTypes,
  ...service.enumTypes,
  ...service.typeDefinitions,
]

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
