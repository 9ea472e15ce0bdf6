import { createHash } from 'node:crypto'
import type { Property } from '../../spec/language/index.js'

/**
 * The key of an item whose data gives none, when its type leaves the key to the service: a Guid that follows from where
 * the item stands, or its number in its list, so that the same data has the same keys wherever it is loaded. Undefined
 * when the data must give the key.
 *
 * @param place where it stands, `users/ada/messages/3`
 * @param position its number in its list, from 1
 */
export function generatedKey(property: Property, place: string, position: number): string | number | undefined {
  if (!property.computed) return undefined
  switch (property.type.kind === 'primitive' ? property.type.name : '') {
    case 'String':
    case 'Guid':
      return guidOf(place)
    case 'Byte':
    case 'SByte':
    case 'Int16':
    case 'Int32':
    case 'Int64':
      return position
    default:
      return undefined
  }
}

/** A Guid of version 8, whose bits are anybody's. @see RFC 9562, 5.8 */
export function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
