import type { Property } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'

/** Whether an item shows a property: what is selected, or what is shown without `$select`. */
export function showsProperty(
  property: Property,
  selected: boolean | undefined,
  row: Entity | undefined,
  { endpoint, behaviour: { choices } }: Exchange,
): boolean {
  const isKey = row?.type.key.includes(property) === true
  // A change that does not say of what is of no use.
  if (isKey && endpoint.kind === 'delta') return true
  if (property.returned === 'always') return true
  if (selected !== undefined) return selected || (isKey && choices['unselectedKey'] === 'returned')
  if (property.returned === 'onSelect') return false
  if (isKey || choices['defaultProjection'] !== 'limited') return true
  const properties = row?.type.properties ?? []
  return properties.indexOf(property) * 2 < properties.length
}
