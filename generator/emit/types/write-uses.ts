import type { Property, Service, StructuredType, ValueType } from '../../../spec/language/model/index.js'
import { concreteTypes, derivedEntityTypes } from '../derived-types.js'
import type { TypeUse } from './value-type-text.js'

/** Which structured types are written, and how: those of request bodies, and all that is in these. */
export type WriteUses = ReadonlyMap<StructuredType, ReadonlySet<Exclude<TypeUse, 'read'>>>

export function writeUses(service: Service): WriteUses {
  const derived = derivedEntityTypes(service)
  const uses = new Map<StructuredType, Set<Exclude<TypeUse, 'read'>>>()
  const use = (type: ValueType, how: Exclude<TypeUse, 'read'>): void => {
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

/** What the body of an endpoint is for. */
export const bodyUses = { create: 'create', update: 'patch', replace: 'replace' } as const

/** The properties that a body may hold. */
export function writable(properties: readonly Property[], use: Exclude<TypeUse, 'read'>): readonly Property[] {
  return properties.filter(
    ({ computed, createOnly, type }) => !computed && !isStream(type) && (use === 'create' || !createOnly),
  )
}

export const isStream = (type: ValueType): boolean => type.kind === 'primitive' && type.name === 'Stream'
