import type { Json } from '../../../json.js'
import type { Change } from '../behaviour.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import type { World } from '../world/world.js'

/** Brings a change into the world. */
export function commit(change: Change, at: Exchange): void {
  const { world } = at
  world.moment++
  change.entity.changed = world.moment
  if (change.kind === 'update') {
    change.entity.values = { ...change.values }
    change.entity.version++
  } else if (change.kind === 'create') add(change.entity, at)
  else remove(change.entity, world)
}

function add(entity: Entity, { world, target }: Exchange): void {
  world.entities.add(entity)
  if (target.kind !== 'many') return
  const { source } = target
  if (source.kind === 'set') world.sets.set(source.name, [...(world.sets.get(source.name) ?? []), entity])
  if (source.kind === 'relation') {
    const { owner, relation } = source
    owner.related.set(relation.name, [...(owner.related.get(relation.name) ?? []), entity])
  }
}

/** Takes an item, what it contains, and all links to it out of the world. */
export function remove(entity: Entity, world: World): void {
  world.entities.delete(entity)
  for (const [name, rows] of world.sets) {
    if (!rows.includes(entity)) continue
    world.sets.set(
      name,
      rows.filter(row => row !== entity),
    )
    const key: Record<string, Json> = {}
    for (const property of entity.type.key) key[property.name] = entity.values[property.name] ?? null
    world.removed.push({ set: name, key, at: world.moment })
  }
  for (const inner of [...world.entities].filter(each => each.owner?.entity === entity)) remove(inner, world)
  for (const other of world.entities) unlink(other, entity)
}

function unlink(other: Entity, gone: Entity): void {
  for (const [name, rows] of other.related) {
    if (rows.includes(gone))
      other.related.set(
        name,
        rows.filter(row => row !== gone),
      )
  }
  for (const relation of other.type.navigation) {
    if (!relation.nullable || relation.constraint.length === 0) continue
    const refers = relation.constraint.every(pair => other.values[pair.dependent] === gone.values[pair.principal])
    if (!refers || relation.type !== gone.type) continue
    for (const pair of relation.constraint) other.values[pair.dependent] = null
  }
}
