import { JsonText } from '../../../runtime/server/index.js'
import type { ComplexType, Property, Service, ValueType } from '../../../spec/language/index.js'
import type { Dialect } from '../../../sql/index.js'
import { decoderFor, defineMember, encodeValue, isObject, storedType } from '../../../sql/index.js'

/**
 * Converts complex values and collections to their canonical form: members in type order, missing members with their default,
 * null or an empty list, and times in UTC. Equal values then have equal JSON texts.
 */
export type Normaliser = (value: unknown, property: Property) => unknown

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
      const memberValue = given === undefined ? initial(property) : given
      defineMember(result, property.name, normalise(memberValue, property))
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
    const decoded = encoded === undefined ? null : decoderFor(stored)(encoded)
    const isLong = (stored.kind === 'integer' || stored.kind === 'decimal') && typeof decoded === 'string'
    return isLong ? new JsonText(decoded) : decoded
  }

  const normalise: Normaliser = (value, property) => {
    if (!property.collection) return single(value, property.type)
    return Array.isArray(value) ? value.map((item: unknown) => single(item, property.type)) : []
  }
  return normalise
}

/** The value of a member that a complex value omits. */
function initial({ type, default: value, collection, computed, nullable }: Property): unknown {
  if (value !== undefined) return value
  return computed && !nullable && !collection ? zeroValue(type, beginning) : null
}

/** A constant instead of the current time, so that equal values have equal texts. */
const beginning = '1970-01-01T00:00:00Z'

/**
 * A value for a computed property that is not nullable and has no default: zero, an empty text, or the current time. Null if
 * no value is a natural choice, such as for a spatial type.
 *
 * @param now in ISO 8601, in UTC
 */
export function zeroValue(type: ValueType, now: string): unknown {
  if (type.kind === 'complexType') return {}
  const { kind, enumType } = storedType(type)
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'double':
      return 0
    case 'string':
    case 'binary':
      return ''
    case 'boolean':
      return false
    case 'guid':
      return '00000000-0000-0000-0000-000000000000'
    case 'date':
      return now.slice(0, 10)
    case 'dateTimeOffset':
      return now
    case 'timeOfDay':
      return '00:00:00'
    case 'duration':
      return 'PT0S'
    case 'enum':
      return enumType?.members[0]?.name ?? null
    case 'json':
      return null
  }
}
