import type { Json } from '../../../conformance/json.js'
import type { EntityType, NavigationProperty, Service, StructuredType } from '../../../spec/language/index.js'

/** All that a service holds. It changes with each write. */
export interface Store {
  readonly service: Service
  readonly sets: Map<string, Entity[]>
  readonly singletons: Map<string, Entity>
  readonly principal?: Entity
  /** Every item, contained ones included, in the order in which they came. */
  readonly entities: Set<Entity>
  /** What is gone, for those who track changes. */
  readonly removed: { readonly set: string; readonly key: Readonly<Record<string, Json>>; readonly at: number }[]
  /** Counts the changes of all items. */
  revision: number
  /** Counts the items that were made, for identifiers. */
  createdCount: number
}

/** Builds a world of its own from plain data. */
export function createStore(service: Service, data: Data): Store {
  const types = new Map(service.entityTypes.map(type => [type.name, type]))
  const entities = new Set<Entity>()
  const byRef = new Map<string, Entity>()
  const links: { readonly from: Entity; readonly name: string; readonly refs: readonly string[] }[] = []

  function add(item: DataItem, owner?: Entity['owner']): Entity {
    const type = types.get(item.type)
    if (type === undefined) throw new Error(`The data name the type ${item.type}, which the spec has not.`)
    const entity = createEntity(type, item.values, owner)
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
    revision: 1,
    createdCount: 0,
  }
}

/** An item of a type; properties without a value are null. */
export function createEntity(
  type: EntityType,
  values: Readonly<Record<string, Json>>,
  owner?: Entity['owner'],
): Entity {
  const own: Record<string, Json> = Object.create(null)
  for (const property of type.properties)
    own[property.name] = values[property.name] ?? (property.collection ? [] : null)
  return { type, values: own, related: new Map(), ...(owner === undefined ? {} : { owner }), version: 1, changedAt: 1 }
}

/** An item as the service holds it. */
export interface Entity {
  readonly type: EntityType
  /** By property; the record has no prototype. */
  values: Record<string, Json>
  /** What it contains, and the links that are kept with it, by relation. */
  readonly related: Map<string, Entity[]>
  readonly owner?: { readonly entity: Entity; readonly relation: NavigationProperty }
  /** Counts its changes. */
  version: number
  /** The world's moment at which it was last changed. */
  changedAt: number
}

/** An item with all that belongs to it, before a service holds it. */
export interface DataItem {
  /** Unique among all items: how links name it. */
  readonly ref: string
  /** Name of its entity type. */
  readonly type: string
  readonly values: Readonly<Record<string, Json>>
  /** By containment relation. */
  readonly contained: Readonly<Record<string, readonly DataItem[]>>
  /** By relation that is kept with this item: refs of the targets. */
  readonly links: Readonly<Record<string, readonly string[]>>
}

/** What a service starts with: plain data, so that each service has its own copy. */
export interface Data {
  /** By entity set. */
  readonly sets: Readonly<Record<string, readonly DataItem[]>>
  /** By singleton that stands alone. */
  readonly singletons: Readonly<Record<string, DataItem>>
  /** Ref of the signed-in one. */
  readonly principal?: string
}

/** The items that a relation of an item leads to. */
export function relatedEntities(world: Store, entity: Entity, relation: NavigationProperty): readonly Entity[] {
  const { partner } = relation
  if (relation.contained) return entity.related.get(relation.name) ?? []
  if (relation.constraint.length > 0) {
    return candidates(world, relation.type).filter(other => refersTo(entity, relation, other))
  }
  if (partner !== undefined && partner.constraint.length > 0) {
    return candidates(world, relation.type).filter(other => refersTo(other, partner, entity))
  }
  if (partner === undefined || storesLinks(relation)) return entity.related.get(relation.name) ?? []
  return candidates(world, relation.type).filter(other => other.related.get(partner.name)?.includes(entity) === true)
}

/** Of the two ends of a relation one keeps the links: the single one, or the one that comes first by name. */
export function storesLinks(relation: NavigationProperty): boolean {
  const { partner } = relation
  if (partner === undefined || partner === relation) return true
  if (relation.collection !== partner.collection) return !relation.collection
  return relation.name < partner.name
}

function candidates(world: Store, type: EntityType): readonly Entity[] {
  return [...world.entities].filter(entity => isOfType(entity.type, type))
}

/** Whether the dependent's properties have the values of the principal's, as its referential constraint says. */
function refersTo(dependent: Entity, relation: NavigationProperty, principal: Entity): boolean {
  return relation.constraint.every(pair => {
    const value = dependent.values[pair.dependent]
    return value !== null && value !== undefined && value === principal.values[pair.principal]
  })
}

/** Whether a type is another one or derives from it. */
export function isOfType(type: StructuredType, wanted: StructuredType): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base)
    if (each === wanted) return true
  return false
}

/** A world as it is now, which later changes do not reach. */
export function cloneStore(world: Store): Store {
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
      changedAt: entity.changedAt,
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
    revision: world.revision,
    createdCount: world.createdCount,
  }
}
