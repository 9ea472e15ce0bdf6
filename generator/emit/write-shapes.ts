import {
  type EntityType,
  isStream,
  type Property,
  type Service,
  type StructuredType,
  type ValueType,
} from '../../spec/language/index.js'
import type { NameTable } from '../names/name-table.js'
import { shapeName, type TypeReference, type WriteUse } from './types/value-types.js'

/** The structured types in request bodies, at any depth, and what they are used for. */
export type WriteUses = ReadonlyMap<StructuredType, ReadonlySet<WriteUse>>

export function writeUses(service: Service): WriteUses {
  const derived = derivedEntityTypes(service)
  const uses = new Map<StructuredType, Set<WriteUse>>()
  const use = (type: ValueType, how: WriteUse): void => {
    if (type.kind !== 'complexType' && type.kind !== 'entityType') return
    const known = uses.get(type) ?? new Set()
    if (known.has(how)) return
    uses.set(type, known.add(how))
    for (const property of writable(type.properties, how)) {
      use(property.type, how === 'patch' && !property.collection ? 'patch' : 'create')
    }
  }
  for (const endpoint of service.endpoints) {
    if (endpoint.kind === 'create' || endpoint.kind === 'update' || endpoint.kind === 'replace') {
      for (const type of concreteTypes(endpoint.type, derived)) use(type, bodyUses[endpoint.kind])
    } else if (endpoint.kind === 'call') {
      for (const parameter of endpoint.operation.parameters) use(parameter.type, 'create')
    }
  }
  return uses
}

/**
 * The entity types whose bodies name their type in `@odata.type`, because nothing else identifies it: those with a base
 * type that items can have, and those of which an endpoint accepts several.
 */
export function namedBodyTypes(service: Service): ReadonlySet<StructuredType> {
  const derived = derivedEntityTypes(service)
  const named = new Set<StructuredType>(service.entityTypes.filter(({ base }) => base !== undefined && !base.abstract))
  for (const endpoint of service.endpoints) {
    if (endpoint.kind !== 'create' && endpoint.kind !== 'update' && endpoint.kind !== 'replace') continue
    const types = concreteTypes(endpoint.type, derived)
    if (types.length > 1) for (const type of types) if (type !== endpoint.type) named.add(type)
  }
  return named
}

/** Whether a body must have a property. A replaced item keeps its key. */
export function isRequiredIn(use: WriteUse, property: Property, type: StructuredType): boolean {
  if (use === 'patch' || !property.required) return false
  return use === 'create' || type.kind !== 'entityType' || !type.key.includes(property)
}

/** The use of an endpoint's body. */
export const bodyUses = { create: 'create', update: 'patch', replace: 'replace' } as const

/** The properties that a body can have. */
export function writable(properties: readonly Property[], use: WriteUse): readonly Property[] {
  return properties.filter(
    ({ computed, createOnly, type }) => !computed && !isStream(type) && (use === 'create' || !createOnly),
  )
}

/** Base type -> all types that derive from it, at any depth, in the order of the spec. */
export type DerivedTypes<Type> = ReadonlyMap<Type, readonly Type[]>

const known = new WeakMap<Service, DerivedTypes<EntityType>>()

/** Computed once for each service, because every endpoint needs it. */
export function derivedEntityTypes(service: Service): DerivedTypes<EntityType> {
  const derived = known.get(service) ?? derivedTypes(service.entityTypes)
  known.set(service, derived)
  return derived
}

export const derivedStructuredTypes = (service: Service): DerivedTypes<StructuredType> =>
  derivedTypes<StructuredType>([...service.entityTypes, ...service.complexTypes])

/** The types that an item of a type can have: the type itself and all types that derive from it, without abstract ones. */
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

/** The type of a request body: the endpoint's type, or a type that derives from it and that `@odata.type` names. */
export function bodyTypeText(
  service: Service,
  names: NameTable,
  type: EntityType,
  kind: keyof typeof bodyUses,
  refer: TypeReference,
): string {
  const types = concreteTypes(type, derivedEntityTypes(service))
  return types.map(one => refer(shapeName(names, one, bodyUses[kind]))).join(' | ') || 'never'
}
