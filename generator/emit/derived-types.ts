import type { EntityType, Service, StructuredType } from '../../spec/language/model/index.js'

/** Base type -> all types that derive from it, at any depth, in the order of the spec. */
export type DerivedTypes<Type> = ReadonlyMap<Type, readonly Type[]>

export const derivedEntityTypes = (service: Service): DerivedTypes<EntityType> => derivedTypes(service.entityTypes)

export const derivedStructuredTypes = (service: Service): DerivedTypes<StructuredType> =>
  derivedTypes<StructuredType>([...service.entityTypes, ...service.complexTypes])

function derivedTypes<Type extends { readonly base?: Type }>(types: readonly Type[]): DerivedTypes<Type> {
  const derived = new Map<Type, Type[]>()
  for (const type of types) {
    for (let base = type.base; base !== undefined; base = base.base) {
      const known = derived.get(base)
      if (known === undefined) derived.set(base, [type])
      else known.push(type)
    }
  }
  return derived
}
