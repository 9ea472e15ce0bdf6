import type { EntityType, NavigationProperty, StructuredType } from '../model/types.js'
import type { Draft } from './draft.js'
import { type Resolution, refer } from './resolution.js'

/** Resolves `partner` of every relation, once all types have theirs. */
export function resolvePartners(resolution: Resolution, types: Iterable<StructuredType>): void {
  const relations = new Map<EntityType, ReadonlyMap<string, NavigationProperty>>()
  const relationsOf = (type: EntityType): ReadonlyMap<string, NavigationProperty> => {
    let found = relations.get(type)
    if (found === undefined) {
      found = new Map(type.navigation.map(relation => [relation.name, relation]))
      relations.set(type, found)
    }
    return found
  }
  for (const type of types) {
    const document = resolution.document.resources[type.name]
    if (document === undefined || !('navigation' in document)) continue
    for (const relation of type.ownNavigation) {
      const name = document.navigation?.[relation.name]?.partner
      if (name === undefined) continue
      const draft: Draft<NavigationProperty> = relation
      const partner = refer(resolution, {
        kind: 'relation',
        name,
        at: `${relation.place.pointer}/partner`,
        chapter: `${relation.type.place.pointer}/navigation`,
        known: relationsOf(relation.type),
      })
      if (partner) draft.partner = partner
    }
  }
}
