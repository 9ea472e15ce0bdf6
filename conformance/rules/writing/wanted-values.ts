import type { Property } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import type { Body } from './new-body.js'
import { propertyValue } from './property-value.js'
import type { WriteSite } from './write-sites.js'

/** Properties that a body may have, and that no other item depends on. */
export function freeProperties({ type, marked }: WriteSite): readonly Property[] {
  const bound = new Set(type.navigation.flatMap(({ constraint }) => constraint.map(({ dependent }) => dependent)))
  return type.properties.filter(property => {
    const { name, computed, unique } = property
    if (computed || unique || name === marked.name || type.key.includes(property)) return false
    return !bound.has(name) && property.returned !== 'onSelect'
  })
}

/** A body with values of all free properties, other ones for each number; `null` for some that may be. */
export function wantedBody(site: WriteSite, number: number): Body {
  const body: Record<string, Json> = {}
  for (const [index, property] of freeProperties(site).entries()) {
    const value = propertyValue(property, number + index)
    if (value !== undefined) body[property.name] = value
  }
  const text = propertyValue(site.marked, number)
  return { ...body, ...(text === undefined ? {} : { [site.marked.name]: text }) }
}

/** A change of a few properties: of one, and of a collection, another value; of one that may be null, null. */
export function changedBody(site: WriteSite, number: number): Body {
  const free = freeProperties(site).filter(({ createOnly }) => !createOnly)
  const single = free.filter(({ collection }) => !collection)
  const collections = free.filter(({ collection }) => collection)
  const changed = single[number % Math.max(single.length, 1)]
  const cleared = single.find(property => property !== changed && property.nullable)
  const replaced = collections[number % Math.max(collections.length, 1)]
  const entries = [changed, replaced].flatMap(property => {
    const value = property === undefined ? undefined : propertyValue(property, number + 11)
    return property === undefined || value === undefined ? [] : [[property.name, value] as const]
  })
  return { ...Object.fromEntries(entries), ...(cleared === undefined ? {} : { [cleared.name]: null }) }
}

/** A body with a value of every second free property: the others are left out. */
export function sparseBody(site: WriteSite, number: number): Body {
  const some = freeProperties(site).filter(({ createOnly }, index) => !createOnly && index % 2 === number % 2)
  return Object.fromEntries(
    some.flatMap(property => {
      const value = propertyValue(property, number + 5)
      return value === undefined ? [] : [[property.name, value] as const]
    }),
  )
}
