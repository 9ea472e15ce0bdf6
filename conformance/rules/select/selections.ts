import type { EntityType } from '../../../spec/language/index.js'

/**
 * Names to select, each property at least once and left out at least once: with the key every other one, then all, then
 * the rest.
 */
export function selections(type: EntityType): readonly (readonly string[])[] {
  const keys = type.key.map(({ name }) => name)
  const names = type.properties
    .filter(({ name, type: of }) => !keys.includes(name) && !(of.kind === 'primitive' && of.name === 'Stream'))
    .map(({ name }) => name)
  const even = names.filter((_, index) => index % 2 === 0)
  const odd = names.filter((_, index) => index % 2 === 1)
  return [even, names, odd].filter(each => each.length > 0).map(each => [...keys, ...each])
}
