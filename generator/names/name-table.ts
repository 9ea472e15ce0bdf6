import type { ComplexType, EntityType, EnumType, TypeDefinition } from '../../spec/language/model/index.js'
import type { ResourceNode } from './resource-node.js'

/** A type that generated code declares under a name of its own. */
export type NamedType = EntityType | ComplexType | EnumType | TypeDefinition

/** Every name that generated code uses, decided before any of it is written. */
export interface NameTable {
  /** What the client is called, `Directory`; `createDirectory` makes it. */
  readonly service: string
  /** The name of each type, `DriveItem`; `DriveItemCreate` and the like follow from it. */
  readonly types: ReadonlyMap<NamedType, string>
  readonly resources: ResourceNode
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
