import type { EntityType, NavigationProperty, Property, Service } from '../../spec/language/index.js'

/** What items read as a type may have: its properties and relations, and those of the types derived from it. */
export interface DeclaredProperties {
  readonly properties: ReadonlyMap<string, Property>
  readonly relations: ReadonlyMap<string, NavigationProperty>
}

const known = new WeakMap<EntityType, DeclaredProperties>()

/** By name; an item of a list may be of any derived type. */
export function declaredProperties(type: EntityType, service: Service): DeclaredProperties {
  const found = known.get(type)
  if (found !== undefined) return found
  const types = service.entityTypes.filter(each => isKindOf(each, type))
  const declared = {
    properties: new Map(types.flatMap(({ properties }) => properties.map(each => [each.name, each] as const))),
    relations: new Map(types.flatMap(({ navigation }) => navigation.map(each => [each.name, each] as const))),
  }
  known.set(type, declared)
  return declared
}

/** Whether a type is another one or derives from it. */
export function isKindOf(type: EntityType, base: EntityType): boolean {
  for (let each: EntityType | undefined = type; each !== undefined; each = each.base) if (each === base) return true
  return false
}
