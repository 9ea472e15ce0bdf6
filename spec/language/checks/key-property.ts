import { kindOfPrimitive, type PrimitiveTypeName, type ValueType } from '../model/types.js'
import type { Check } from './check.js'

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
 * A key property is single, never null, and of a primitive type with comparable values.
 *
 * @see OData CSDL 4.01, 6.5 (key)
 */
export const keyProperty: Check = ({ service, report }) => {
  for (const type of service.entityTypes) {
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
