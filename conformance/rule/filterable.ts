import type { PrimitiveTypeName, Property } from '../../spec/language/index.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import { primitiveOf } from './primitive-of.js'

/**
 * Single properties of the given primitive types that an endpoint takes in a filter; those first that rows show with a
 * value and that are no keys. Empty where nothing can be filtered.
 */
export function filterable(
  site: Site,
  session: Pick<Session, 'snapshot'>,
  ...types: readonly PrimitiveTypeName[]
): readonly Property[] {
  const { endpoint, type } = site
  if (type === undefined || !('query' in endpoint) || endpoint.query === undefined) return []
  const { filter } = endpoint.query
  if (filter.support === 'none') return []
  const rows = session.snapshot(site)?.rows ?? []
  const isShown = ({ name }: Property): boolean => rows.some(row => row[name] !== null && row[name] !== undefined)
  const found = type.properties.filter(property => {
    const primitive = primitiveOf(property.type)
    if (property.collection || primitive === undefined || !types.includes(primitive)) return false
    const exception = Object.hasOwn(filter.properties, property.name) ? filter.properties[property.name] : undefined
    return exception === undefined || (exception.support !== 'none' && exception.operators === undefined)
  })
  const rank = (property: Property): number => (isShown(property) ? 0 : 2) + (type.key.includes(property) ? 1 : 0)
  return found.sort((a, b) => rank(a) - rank(b))
}
