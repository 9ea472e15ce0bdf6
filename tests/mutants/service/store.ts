import type { EntityType, NavigationProperty, Service, StructuredType } from '../../../spec/language/index.js'
import type { Json } from './json.js'

/** The data of a service. Writes modify it. */
export interface Store {
  readonly service: Service
  readonly sets: Map<string, Entity[]>
  readonly singletons: Map<string, Entity>
  readonly principal?: Entity
  /** Every item, including contained items, in insertion order. */
  readonly entities: Set<Entity>
  /** Deleted items, for delta queries. */
  readonly removed: { readonly set: string; readonly key: Readonly<Record<string, Json>>; readonly at: number }[]
  /** Incremented by each write. */
  revision: number
  /** Number of created items, for generated keys. */
  createdCount: number
}

/** Creates a store from the initial data. */
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

/** Creates an item. Properties without a value are null. */
export function createEntity(
  type: EntityType,
  values: Readonly<Record<string, Json>>,
  owner?: Entity['owner'],
): Entity {
  const own: Record<string, Json> = Object.create(null)
  for (const property of type.properties)
    own[property.name] = values[property.name] ?? (property.collection ? [] : null)
  const streams = initialStreams(type)
  return {
    type,
    values: own,
    streams,
    related: new Map(),
    ...(owner === undefined ? {} : { owner }),
    version: 1,
    changedAt: 1,
  }
}

/** The streams of a new item: a media entity always has its media stream. */
function initialStreams(type: EntityType): Map<string, Stream> {
  const streams = new Map<string, Stream>()
  if (type.hasStream) {
    const [first = 'text/plain'] = type.mediaTypes
    streams.set('', { mediaType: first.replace('/*', '/svg+xml'), text: '<svg/>', version: 1 })
  }
  return streams
}

/** A stream of an item. */
export interface Stream {
  readonly mediaType: string
  readonly text: string
  readonly version: number
}

/** A stored item. */
export interface Entity {
  /** By the name of the property; empty for the media stream. */
  readonly streams: Map<string, Stream>
  readonly type: EntityType
  /** By property. The record has no prototype. */
  values: Record<string, Json>
  /** Contained items and stored links, by relation. */
  readonly related: Map<string, Entity[]>
  readonly owner?: { readonly entity: Entity; readonly relation: NavigationProperty }
  /** Incremented by each update. */
  version: number
  /** The store revision of its last change. */
  changedAt: number
}

/** An item of the initial data, with its contained items and links. */
export interface DataItem {
  /** A unique reference, which links use. */
  readonly ref: string
  /** The name of its entity type. */
  readonly type: string
  readonly values: Readonly<Record<string, Json>>
  /** Contained items, by relation. */
  readonly contained: Readonly<Record<string, readonly DataItem[]>>
  /** References of the targets, by relation whose links are stored with this item. */
  readonly links: Readonly<Record<string, readonly string[]>>
}

/** The initial data of a service. Each service copies it. */
export interface Data {
  /** By entity set. */
  readonly sets: Readonly<Record<string, readonly DataItem[]>>
  /** By singleton that is not part of an entity set. */
  readonly singletons: Readonly<Record<string, DataItem>>
  /** The reference of the signed-in user. */
  readonly principal?: string
}

/** The items that a relation of an item leads to. */
export function relatedEntities(store: Store, entity: Entity, relation: NavigationProperty): readonly Entity[] {
  const { partner } = relation
  if (relation.contained) return entity.related.get(relation.name) ?? []
  if (relation.constraint.length > 0) {
    return candidates(store, relation.type).filter(other => refersTo(entity, relation, other))
  }
  if (partner !== undefined && partner.constraint.length > 0) {
    return candidates(store, relation.type).filter(other => refersTo(other, partner, entity))
  }
  if (partner === undefined || storesLinks(relation)) return entity.related.get(relation.name) ?? []
  return candidates(store, relation.type).filter(other => other.related.get(partner.name)?.includes(entity) === true)
}

/** One end of a bidirectional relation stores the links: the single-valued end, or the one whose name sorts first. */
export function storesLinks(relation: NavigationProperty): boolean {
  const { partner } = relation
  if (partner === undefined || partner === relation) return true
  if (relation.collection !== partner.collection) return !relation.collection
  return relation.name < partner.name
}

function candidates(store: Store, type: EntityType): readonly Entity[] {
  return [...store.entities].filter(entity => isOfType(entity.type, type))
}

/** Whether the dependent refers to the principal by its referential constraint. */
function refersTo(dependent: Entity, relation: NavigationProperty, principal: Entity): boolean {
  return relation.constraint.every(pair => {
    const value = dependent.values[pair.dependent]
    return value !== null && value !== undefined && value === principal.values[pair.principal]
  })
}

/** Whether a type equals another one or derives from it. */
export function isOfType(type: StructuredType, ancestor: StructuredType): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base)
    if (each === ancestor) return true
  return false
}

/** The same for an ancestor by name, which may be qualified. */
export function isNamedType(type: StructuredType, ancestor: string): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base)
    if (each.qualifiedName === ancestor || each.name === ancestor) return true
  return false
}

/** A copy of the store that later writes do not change. */
export function cloneStore(store: Store): Store {
  const clones = new Map<Entity, Entity>()
  const cloneOf = (entity: Entity): Entity => {
    const known = clones.get(entity)
    if (known !== undefined) return known
    const { owner } = entity
    const clone: Entity = {
      type: entity.type,
      values: Object.assign(Object.create(null), entity.values),
      streams: new Map(entity.streams),
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
    service: store.service,
    sets: new Map([...store.sets].map(([name, rows]) => [name, rows.map(cloneOf)])),
    singletons: new Map([...store.singletons].map(([name, row]) => [name, cloneOf(row)])),
    ...(store.principal === undefined ? {} : { principal: cloneOf(store.principal) }),
    entities: new Set([...store.entities].map(cloneOf)),
    removed: [...store.removed],
    revision: store.revision,
    createdCount: store.createdCount,
  }
}
