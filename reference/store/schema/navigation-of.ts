import type { EntityType, NavigationProperty, Service } from '../../../spec/language/index.js'

/** A relation and the type that declares it. */
export interface DeclaredNavigation {
  readonly source: EntityType
  readonly property: NavigationProperty
}

/** The relations of all entity types, each once, in the order of the spec. */
export function navigationOf(service: Service): readonly DeclaredNavigation[] {
  return service.entityTypes.flatMap(source => source.ownNavigation.map(property => ({ source, property })))
}
