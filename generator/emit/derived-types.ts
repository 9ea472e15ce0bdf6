import type { EntityType, Service, StructuredType } from '../../spec/language/model/index.js'

/** Base type -> all types that derive from it, at any depth, in the order of the spec. */
export type DerivedTypes<Type> = ReadonlyMap<Type, readonly Type[]>

const known = new WeakMap<Service, DerivedTypes<EntityType>>()

/** Told once a service: every endpoint asks. */
export function derivedEntityTypes(service: Service): DerivedTypes<EntityType> {
  const derived = known.get(service) ?? derivedTypes(service.entityTypes)
  known.set(service, derived)
  return derived
}

export const derivedStructuredTypes = (service: Service): DerivedTypes<StructuredType> =>
  derivedTypes<StructuredType>([...service.entityTypes, ...service.complexTypes])

/** What an item of a type may be: the type itself and those that derive from it, abstract ones left out. */
export const concreteTypes = (type: EntityType, derived: DerivedTypes<EntityType>): readonly EntityType[] =>
  [type, ...(derived.get(type) ?? [])].filter(({ abstract }) => !abstract)

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
