import { createHash } from 'node:crypto'
import type { PropertyInfo, TypeTable } from '../../runtime/query/index.js'
import { createReadContext, readValue, type ValueProblem } from '../../runtime/server/index.js'
import { type EntityType, isIntegerType, type Property } from '../../spec/language/index.js'
import type { ItemKey } from '../store/entity-record.js'

/**
 * Reads a reference to an item: the value of its key, or an object with all its key properties.
 *
 * @returns the key, or a message about what is wrong
 */
export function readKey(json: unknown, type: EntityType, types: TypeTable): ItemKey | string {
  const [only] = type.key
  const named = typeof json === 'object' && json !== null && !Array.isArray(json)
  if (!named && type.key.length > 1) {
    return `A ${type.name} is identified by all parts of its key: { ${type.key.map(({ name }) => `${name}: …`).join(', ')} }.`
  }
  const values = named ? Object.entries(json) : [[only?.name ?? '', json] as const]
  const strange = values.find(([name]) => !type.key.some(part => part.name === name))
  if (strange !== undefined) return `${strange[0]} is not part of the key of ${type.name}.`
  const given = new Map<string, unknown>(values)
  const problems: ValueProblem[] = []
  const key: (string | number | boolean)[] = []
  for (const { name } of type.key) {
    const info = infoOf(types, type.name, name)
    if (info === undefined || !given.has(name)) return `The key of a ${type.name} needs ${name}.`
    const value = readValue(
      given.get(name),
      info,
      name,
      createReadContext({ types, namespace: '', numbers: 'exact' }, problems, 'create'),
    )
    if (isKeyValue(value)) key.push(value)
    else if (problems.length === 0) return `${name} cannot be part of a key.`
  }
  return problems.length === 0 ? key : problems.map(({ message }) => message).join(' ')
}

/** Whether a value can be part of a key. */
export function isKeyValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function infoOf(types: TypeTable, type: string, property: string): PropertyInfo | undefined {
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  if (info === undefined || !('properties' in info)) return undefined
  return Object.hasOwn(info.properties, property) ? info.properties[property] : undefined
}

/**
 * The key of an item without a key in the data, if its type leaves the key to the service: a Guid derived from the item's
 * path, or the number of the item in its list. The same data therefore always gets the same keys. Undefined if the data must
 * contain the key.
 *
 * @param place the path of the item, such as `users/ada/messages/3`
 * @param position the number of the item in its list, from 1
 */
export function generatedKey(property: Property, place: string, position: number): string | number | undefined {
  if (!property.computed) return undefined
  const primitive = property.type.kind === 'primitive' ? property.type.name : ''
  if (primitive === 'String' || primitive === 'Guid') return guidOf(place)
  return isIntegerType(primitive) ? position : undefined
}

/**
 * A Guid of version 8, which can have any content.
 *
 * @see RFC 9562, 5.8
 */
export function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
