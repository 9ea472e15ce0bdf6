import type { EntityType, Service } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Data, Item } from './data.js'
import type { Entity } from './entity.js'

/** All that a service holds. It changes with each write. */
export interface World {
  readonly service: Service
  readonly sets: Map<string, Entity[]>
  readonly singletons: Map<string, Entity>
  readonly principal?: Entity
  /** Every item, contained ones included, in the order in which they came. */
  readonly entities: Set<Entity>
  /** What is gone, for those who track changes. */
  readonly removed: { readonly set: string; readonly key: Readonly<Record<string, Json>>; readonly at: number }[]
  /** Counts the changes of all items. */
  moment: number
  /** Counts the items that were made, for identifiers. */
  made: number
}

/** Builds a world of its own from plain data. */
export function buildWorld(service: Service, data: Data): World {
  const types = new Map(service.entityTypes.map(type => [type.name, type]))
  const entities = new Set<Entity>()
  const byRef = new Map<string, Entity>()
  const links: { readonly from: Entity; readonly name: string; readonly refs: readonly string[] }[] = []

  function add(item: Item, owner?: Entity['owner']): Entity {
    const type = types.get(item.type)
    if (type === undefined) throw new Error(`The data name the type ${item.type}, which the spec has not.`)
    const entity = makeEntity(type, item.values, owner)
    entities.add(entity)
    byRef.set(item.ref, entity)
    for (const relation of type.navigation) {
      const inner = item.contained[relation.name]
      if (inner === undefined) continue
      entity.related.set(
        relation.name,
        inner.map(each => add(each, { entity, relation })),
      )
    }
    for (const [name, refs] of Object.entries(item.links)) links.push({ from: entity, name, refs })
    return entity
  }

  const sets = new Map(Object.entries(data.sets).map(([name, items]) => [name, items.map(item => add(item))]))
  for (const { kind, name } of service.container) if (kind === 'entitySet' && !sets.has(name)) sets.set(name, [])
  const singletons = new Map(Object.entries(data.singletons).map(([name, item]) => [name, add(item)]))
  for (const { from, name, refs } of links)
    from.related.set(
      name,
      refs.flatMap(ref => byRef.get(ref) ?? []),
    )
  const principal = data.principal === undefined ? undefined : byRef.get(data.principal)
  return {
    service,
    sets,
    singletons,
    ...(principal === undefined ? {} : { principal }),
    entities,
    removed: [],
    moment: 1,
    made: 0,
  }
}

/** An item of a type; properties without a value are null. */
export function makeEntity(type: EntityType, values: Readonly<Record<string, Json>>, owner?: Entity['owner']): Entity {
  const own: Record<string, Json> = Object.create(null)
  for (const property of type.properties)
    own[property.name] = values[property.name] ?? (property.collection ? [] : null)
  return { type, values: own, related: new Map(), ...(owner === undefined ? {} : { owner }), version: 1, changed: 1 }
}
