import type { EntityType, NavigationProperty } from '../../../../spec/language/index.js'
import type { Entity } from './entity.js'
import { isOfType } from './is-of-type.js'
import type { World } from './world.js'

/** The items that a relation of an item leads to. */
export function related(world: World, entity: Entity, relation: NavigationProperty): readonly Entity[] {
  const { partner } = relation
  if (relation.contained) return entity.related.get(relation.name) ?? []
  if (relation.constraint.length > 0) {
    return candidates(world, relation.type).filter(other => refersTo(entity, relation, other))
  }
  if (partner !== undefined && partner.constraint.length > 0) {
    return candidates(world, relation.type).filter(other => refersTo(other, partner, entity))
  }
  if (partner === undefined || isKeptWith(relation)) return entity.related.get(relation.name) ?? []
  return candidates(world, relation.type).filter(other => other.related.get(partner.name)?.includes(entity) === true)
}

/** Of the two ends of a relation one keeps the links: the single one, or the one that comes first by name. */
export function isKeptWith(relation: NavigationProperty): boolean {
  const { partner } = relation
  if (partner === undefined || partner === relation) return true
  if (relation.collection !== partner.collection) return !relation.collection
  return relation.name < partner.name
}

function candidates(world: World, type: EntityType): readonly Entity[] {
  return [...world.entities].filter(entity => isOfType(entity.type, type))
}

/** Whether the dependent's properties have the values of the principal's, as its referential constraint says. */
function refersTo(dependent: Entity, relation: NavigationProperty, principal: Entity): boolean {
  return relation.constraint.every(pair => {
    const value = dependent.values[pair.dependent]
    return value !== null && value !== undefined && value === principal.values[pair.principal]
  })
}
