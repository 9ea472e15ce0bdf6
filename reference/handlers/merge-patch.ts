import { type ComplexType, derivesFrom, type Property } from '../../spec/language/index.js'
import { defineMember, isObject, type StoredItem, storedProperties } from '../../sql/index.js'
import { InvalidValue } from '../store/write/item-values.js'

type Body = Readonly<Record<string, unknown>>

/**
 * The properties that the body names. The key and all other properties keep their values.
 *
 * @param replaced the path of the complex value that the body replaces, `home/inner`; undefined: it merges into all
 * @see OData Protocol 4.01, 11.4.3
 */
export function patch(
  { type, entity }: StoredItem,
  body: Body,
  types: ComplexTypes,
  replaced?: string,
): ReadonlyMap<Property, unknown> {
  const isGiven = (property: Property): boolean => Object.hasOwn(body, property.name) && !type.key.includes(property)
  const given = storedProperties(type).filter(isGiven)
  return new Map(
    given.map(property => [
      property,
      mergePatch(entity[property.name], body[property.name], property, types, replaced),
    ]),
  )
}

/**
 * The value of a property after a patch. In a complex value, the patch changes the members that it names. Any other value is
 * replaced.
 *
 * @throws {InvalidValue} if the new complex value lacks a required member
 * @see OData Protocol 4.01, 11.4.3
 */
export function mergePatch(
  current: unknown,
  patch: unknown,
  property: Property,
  types: ComplexTypes,
  replaced?: string,
  path: string = property.name,
): unknown {
  const declared = property.type
  if (property.collection || declared.kind !== 'complexType' || !isObject(patch)) return patch
  const present = isObject(current) && path !== replaced ? current : {}
  const type = complexTypeAfter(declared, present, patch, types)
  // Another type keeps what it shares.
  const before = Object.fromEntries(
    Object.entries(present).filter(([name]) => type.open || type.properties.some(member => member.name === name)),
  )
  const merged: Record<string, unknown> = { ...before }
  if (type !== declared) merged['@odata.type'] = `#${type.qualifiedName}`
  for (const [name, value] of Object.entries(patch)) {
    if (name === '@odata.type') continue
    const member = type.properties.find(candidate => candidate.name === name)
    const next =
      member === undefined ? value : mergePatch(before[name], value, member, types, replaced, `${path}/${name}`)
    defineMember(merged, name, next)
  }
  requireMembers(merged, type, path)
  return merged
}

/** The complex type that a value of `@odata.type` names. */
export type ComplexTypes = (name: string) => ComplexType | undefined

/**
 * The type of a complex value after a patch: the one that the patch names, or else its own. A patch that names a base type of
 * the value merges into it: it does not know the members that the value has besides, and must not remove them.
 *
 * @see OData Protocol 4.01, 11.4.3
 */
function complexTypeAfter(declared: ComplexType, current: Body, patch: Body, types: ComplexTypes): ComplexType {
  const typeOf = (value: Body): ComplexType | undefined => {
    const name = value['@odata.type']
    return typeof name === 'string' ? types(name) : undefined
  }
  const present = typeOf(current) ?? declared
  const named = typeOf(patch)
  return named === undefined || derivesFrom(present, named) ? present : named
}

function requireMembers(value: Readonly<Record<string, unknown>>, type: ComplexType, path: string): void {
  for (const { name, nullable, collection, default: initial } of type.properties) {
    if (nullable || collection || initial !== undefined) continue
    if (value[name] === undefined || value[name] === null) throw new InvalidValue(`${path}/${name}`, 'is required')
  }
}
