import {
  type EntityType,
  kindOfPrimitive,
  type PrimitiveTypeName,
  type Property,
  type ValueType,
} from '../model/types.js'
import type { Check, CheckContext } from './check.js'

/** The kinds of values without an exact identity. */
const inexactKinds: ReadonlySet<string> = new Set(['double', 'binary', 'geography', 'geometry'])

/** Whether values of a primitive type can identify an item. @see OData CSDL 4.01, 6.5 (key) */
export const isKeyPrimitive = (name: PrimitiveTypeName): boolean => !inexactKinds.has(kindOfPrimitive(name) ?? 'binary')

function canBeKey(type: ValueType): boolean {
  switch (type.kind) {
    case 'primitive':
      return isKeyPrimitive(type.name)
    case 'typeDefinition':
      return isKeyPrimitive(type.underlying)
    default:
      return type.kind === 'enumType'
  }
}

/**
 * A property of an alternate key is single, of a type with comparable values, and, alone, unique. No two keys have the same
 * properties.
 *
 * @see Core vocabulary, AlternateKeys
 */
function checkAlternateKeys(type: EntityType, report: CheckContext['report']): void {
  const own = type.alternateKeys.slice(type.base?.alternateKeys.length ?? 0)
  const before = [type.key, ...(type.base?.alternateKeys ?? [])].map(namesOf)
  for (const [index, key] of own.entries()) {
    const at = `${type.location.pointer}/alternateKeys/${index}`
    if (before.includes(namesOf(key))) {
      const message = `"${type.name}" already has a key of ${key.map(({ name }) => name).join(', ')}. Remove one of them.`
      report({ code: 'spec/alternate-key', message, at })
      continue
    }
    before.push(namesOf(key))
    for (const [part, { name, collection, unique, type: of, location }] of key.entries()) {
      const related = [{ message: 'declared here', at: location.pointer, on: 'key' as const }]
      if (collection || !canBeKey(of)) {
        const found = collection ? 'a collection' : `of "${of.name}"`
        const message = `"${name}" is ${found}, which cannot be in a key. Use a single value of a type such as String, Guid or Int32.`
        report({ code: 'spec/alternate-key', message, at: `${at}/${part}`, related })
      } else if (key.length === 1 && !unique) {
        const message = `"${name}" identifies an item, so no two items have the same value. Add \`unique: true\` to the property.`
        report({ code: 'spec/alternate-key', message, at: `${at}/${part}`, related })
      }
    }
  }
}

const namesOf = (key: readonly Property[]): string => JSON.stringify(key.map(({ name }) => name).sort())

/**
 * A key property is single, never null, and of a primitive type with comparable values.
 *
 * @see OData CSDL 4.01, 6.5 (key)
 */
export const keyProperty: Check = ({ service, report }) => {
  for (const type of service.entityTypes) {
    checkAlternateKeys(type, report)
    if (type.key === type.base?.key) continue
    for (const [index, { name, nullable, collection, type: of, location }] of type.key.entries()) {
      const at = `${type.location.pointer}/key/${index}`
      const related = [{ message: 'declared here', at: location.pointer, on: 'key' as const }]
      if (nullable) {
        const message = `"${name}" is nullable, but a key always has a value. Remove \`nullable\`.`
        report({ code: 'spec/key-nullable', message, at, related })
      }
      if (collection) {
        const message = `"${name}" is a collection, but a key property has a single value. Remove \`collection\`, or choose another key.`
        report({ code: 'spec/key-collection', message, at, related })
      } else if (!canBeKey(of)) {
        const message = `"${name}" is of "${of.name}", which cannot be a key. Use a type such as String, Guid or Int32.`
        report({ code: 'spec/key-type', message, at, related })
      }
    }
  }
}
