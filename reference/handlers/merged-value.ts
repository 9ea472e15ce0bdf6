import type { ComplexType, Property } from '../../spec/language/index.js'
import { defineMember, isObject } from '../store/value/json-object.js'
import { InvalidValue } from '../store/write/invalid-value.js'

/**
 * What a property becomes by a patch: the members of a complex value that the patch names change, the others stay; anything
 * else is replaced.
 *
 * @throws {InvalidValue} when a complex value comes to be without a member that it must have
 * @see OData Protocol 4.01, 11.4.3
 */
export function mergedValue(
  current: unknown,
  patch: unknown,
  property: Property,
  path: string = property.name,
): unknown {
  const { type } = property
  if (property.collection || type.kind !== 'complexType' || !isObject(patch)) return patch
  const before = isObject(current) ? current : {}
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(patch)) {
    const member = type.properties.find(candidate => candidate.name === name)
    const next = member === undefined ? value : mergedValue(before[name], value, member, `${path}/${name}`)
    defineMember(merged, name, next)
  }
  requireMembers(merged, type, path)
  return merged
}

function requireMembers(value: Readonly<Record<string, unknown>>, type: ComplexType, path: string): void {
  for (const { name, nullable, collection, default: initial } of type.properties) {
    if (nullable || collection || initial !== undefined) continue
    if (value[name] === undefined || value[name] === null) throw new InvalidValue(`${path}/${name}`, 'is required')
  }
}
