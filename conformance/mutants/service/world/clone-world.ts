import type { Entity } from './entity.js'
import type { World } from './world.js'

/** A world as it is now, which later changes do not reach. */
export function cloneWorld(world: World): World {
  const clones = new Map<Entity, Entity>()
  const cloneOf = (entity: Entity): Entity => {
    const known = clones.get(entity)
    if (known !== undefined) return known
    const { owner } = entity
    const clone: Entity = {
      type: entity.type,
      values: Object.assign(Object.create(null), entity.values),
      related: new Map(),
      ...(owner === undefined ? {} : { owner: { entity: cloneOf(owner.entity), relation: owner.relation } }),
      version: entity.version,
      changed: entity.changed,
    }
    clones.set(entity, clone)
    for (const [name, rows] of entity.related) clone.related.set(name, rows.map(cloneOf))
    return clone
  }
  return {
    service: world.service,
    sets: new Map([...world.sets].map(([name, rows]) => [name, rows.map(cloneOf)])),
    singletons: new Map([...world.singletons].map(([name, row]) => [name, cloneOf(row)])),
    ...(world.principal === undefined ? {} : { principal: cloneOf(world.principal) }),
    entities: new Set([...world.entities].map(cloneOf)),
    removed: [...world.removed],
    moment: world.moment,
    made: world.made,
  }
}
