import type { ResolvedSegment } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'

/**
 * The scope of a site: the collection, singleton or operation that it belongs to, as a path template. An item, a count
 * and the changes of a collection have the scope of the collection: the scope of `/users/{id}` is `users`.
 */
export function scopeOf({ endpoint }: Pick<Site, 'endpoint'>): string {
  const names = endpoint.resolved.flatMap(nameOf)
  if (names.at(-1) === '{key}') names.pop()
  return names.join('/')
}

function nameOf(step: ResolvedSegment): readonly string[] {
  switch (step.kind) {
    case 'entitySet':
    case 'singleton':
      return [step.element.name]
    case 'navigation':
    case 'property':
      return [step.property.name]
    case 'operation':
      return [step.operation.name]
    case 'key':
      return ['{key}']
    case 'count':
    case 'delta':
    case 'cast':
    case 'stream':
      return []
  }
}
