import type { EntityType } from '../../spec/language/index.js'
import type { ItemKey } from '../entity-record.js'
import { isKeyValue } from './read-key.js'

/** The links of an item, those included that follow from its properties by a referential constraint. */
export function completeLinks(
  type: EntityType,
  values: Readonly<Record<string, unknown>>,
  given: ReadonlyMap<string, readonly ItemKey[]>,
): Readonly<Record<string, readonly ItemKey[]>> {
  const links: Record<string, readonly ItemKey[]> = Object.create(null)
  for (const [name, keys] of given) links[name] = keys
  for (const { name, collection, constraint, type: target } of type.navigation) {
    if (collection || given.has(name) || constraint.length < target.key.length) continue
    const key = target.key.flatMap(part => {
      const dependent = constraint.find(({ principal }) => principal === part.name)?.dependent
      const value = dependent === undefined ? undefined : values[dependent]
      return isKeyValue(value) ? [value] : []
    })
    if (key.length === target.key.length && key.length > 0) links[name] = [key]
  }
  return links
}
