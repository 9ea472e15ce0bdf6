import type { EntityType, Property, Service } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import { isSameValue } from '../reading/same-value.js'

/**
 * The declared properties that two readings of one item both show, with different values, a line each. Null and absent are
 * the same in a complex value; a property that one reading leaves out is not compared.
 */
export function rowDifferences(
  left: Row,
  right: Row,
  type: EntityType,
  service: Pick<Service, 'entityTypes'>,
): readonly RowDifference[] {
  return propertiesBelow(type, service).flatMap(property => {
    const { name } = property
    if (!Object.hasOwn(left, name) || !Object.hasOwn(right, name)) return []
    return isSameValue(left[name], right[name], property) ? [] : [{ property, left: left[name], right: right[name] }]
  })
}

export interface RowDifference {
  readonly property: Property
  readonly left: unknown
  readonly right: unknown
}

/** The line of a report that tells a difference. */
export function differenceText({ property, left, right }: RowDifference, one: string, other: string): string {
  return `${property.name}: ${JSON.stringify(left)} ${one}, ${JSON.stringify(right)} ${other}`
}

/** Properties of a type and of those that derive from it, each name once. */
function propertiesBelow(type: EntityType, { entityTypes }: Pick<Service, 'entityTypes'>): readonly Property[] {
  const byName = new Map(type.properties.map(property => [property.name, property]))
  for (const derived of entityTypes) {
    if (!isKindOf(derived, type)) continue
    for (const property of derived.ownProperties) if (!byName.has(property.name)) byName.set(property.name, property)
  }
  return [...byName.values()]
}

function isKindOf(type: EntityType, base: EntityType): boolean {
  for (let each = type.base; each !== undefined; each = each.base) if (each === base) return true
  return false
}
