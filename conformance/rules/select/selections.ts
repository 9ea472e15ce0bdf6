import type { EntityType } from '../../../spec/language/index.js'

/**
 * Names to select, each property at least once and left out at least once: with the key every other one and those whose
 * names are part of one another, then all, then the rest.
 */
export function selections(type: EntityType): readonly (readonly string[])[] {
  const keys = type.key.map(({ name }) => name)
  const names = type.properties
    .filter(({ name, type: of }) => !keys.includes(name) && !(of.kind === 'primitive' && of.name === 'Stream'))
    .map(({ name }) => name)
  const alike = names.filter(name =>
    names.some(other => other !== name && (other.includes(name) || name.includes(other))),
  )
  const even = names.filter((name, index) => index % 2 === 0 || alike.includes(name))
  const odd = names.filter((_, index) => index % 2 === 1)
  return [even, names, odd].filter(each => each.length > 0).map(each => [...keys, ...each])
}

/** Names of properties that are part of one another: `mail` and `mailNickname`. */
export function alikeNames(type: EntityType): readonly string[] {
  const keys = type.key.map(({ name }) => name)
  const names = type.properties.map(({ name }) => name).filter(name => !keys.includes(name))
  return names.filter(name =>
    names.some(other => {
      const [a, b] = [name.toLowerCase(), other.toLowerCase()]
      return a !== b && (a.includes(b) || b.includes(a))
    }),
  )
}
