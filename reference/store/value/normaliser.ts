import type { ComplexType, Property, Service, ValueType } from '../../../spec/language/index.js'
import type { Dialect } from '../dialect/dialect.js'
import { storedType } from '../schema/storage.js'
import { decoderOf, encodeValue } from './column-codec.js'
import { defineMember, isObject } from './json-object.js'
import { neutralValue } from './neutral-value.js'

/**
 * Brings complex values and collections to the one form in which the store keeps and sends them: members in the order of
 * the type, what is absent at its default, null or empty, times in UTC. Equal values are then equal texts.
 */
export type Normaliser = (value: unknown, property: Property) => unknown

/** A normaliser for the types of a service. */
export function createNormaliser(service: Service, dialect: Dialect): Normaliser {
  const complexTypes = new Map(service.complexTypes.map(type => [type.name, type]))
  const qualified = new Map(service.complexTypes.map(type => [`#${type.qualifiedName}`, type]))

  const typeOf = (value: Readonly<Record<string, unknown>>, declared: ComplexType): ComplexType => {
    const name = Object.hasOwn(value, '@odata.type') ? value['@odata.type'] : undefined
    if (typeof name !== 'string') return declared
    return (
      qualified.get(name) ??
      complexTypes.get(name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1)) ??
      declared
    )
  }

  const complex = (value: Readonly<Record<string, unknown>>, declared: ComplexType): unknown => {
    const type = typeOf(value, declared)
    const result: Record<string, unknown> = {}
    if (type !== declared) result['@odata.type'] = `#${type.qualifiedName}`
    for (const property of type.properties) {
      const given = Object.hasOwn(value, property.name) ? value[property.name] : undefined
      const wanted = given === undefined ? initial(property) : given
      defineMember(result, property.name, normalise(wanted, property))
    }
    if (!type.open) return result
    for (const [name, member] of Object.entries(value)) {
      if (!Object.hasOwn(result, name) && !name.includes('@')) defineMember(result, name, member)
    }
    return result
  }

  const single = (value: unknown, type: ValueType): unknown => {
    if (value === null || value === undefined) return null
    if (type.kind === 'complexType') return isObject(value) ? complex(value, type) : null
    const stored = storedType(type)
    if (stored.kind === 'json' || stored.kind === 'double') return value
    const encoded = encodeValue(value, stored, dialect)
    return encoded === undefined ? null : decoderOf(stored)(encoded)
  }

  const normalise: Normaliser = (value, property) => {
    if (!property.collection) return single(value, property.type)
    return Array.isArray(value) ? value.map((item: unknown) => single(item, property.type)) : []
  }
  return normalise
}

/** What a member of a complex value has that was not given. */
function initial({ type, default: value, collection, computed, nullable }: Property): unknown {
  if (value !== undefined) return value
  return computed && !nullable && !collection ? neutralValue(type, beginning) : null
}

/** No clock is at hand, and equal values must be equal texts. */
const beginning = '1970-01-01T00:00:00Z'
