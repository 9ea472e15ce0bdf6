import { isSubtype, type StructuredTypeInfo, type TypeInfo, type TypeTable } from '../query/index.js'
import type { ServiceTable } from './service-table.js'

/** The type with a name. Undefined: it is a primitive type or doesn't exist. */
export function typeInfo(types: TypeTable, name: string): TypeInfo | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}

/** The entity type or complex type with a name. Undefined: there is no such type. */
export function structuredType(types: TypeTable, name: string): StructuredTypeInfo | undefined {
  const type = typeInfo(types, name)
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}

/** The underlying type of a type definition. Other names stay unchanged. */
export function underlyingType(types: TypeTable, name: string): string {
  const type = typeInfo(types, name)
  return type?.kind === 'typeDefinition' ? type.type : name
}

export interface KeyProperty {
  readonly name: string
  /** Edm type. */
  readonly type: string
}

/** The key properties of an entity type. Undefined: the name isn't that of an entity type. */
export function keyProperties(types: TypeTable, name: string | undefined): readonly KeyProperty[] | undefined {
  const info = name === undefined ? undefined : typeInfo(types, name)
  if (info?.kind !== 'entityType') return undefined
  return info.key.map(property => ({ name: property, type: info.properties[property]?.type ?? 'Edm.String' }))
}

/** The name of a type in CSDL and in payloads. */
export function qualifiedTypeName(
  type: string,
  { types, namespace }: Pick<ServiceTable, 'types' | 'namespace'>,
): string {
  if (type.includes('.')) return type
  return typeInfo(types, type)?.qualifiedName ?? `${namespace}.${type}`
}

/** The types that a value of a type can have: the type itself and those that derive from it, without abstract ones. */
export function concreteTypes(declared: string, types: TypeTable): readonly string[] {
  return Object.keys(types).filter(name => {
    const type = structuredType(types, name)
    return type !== undefined && type.abstract !== true && isSubtype(name, declared, types)
  })
}
