import type { EntityType, NavigationProperty, Service } from '../../../spec/language/index.js'
import { type EndpointContext, emptyReply, type ReceivedRequest, type Reply, rejectionReply } from './behaviour.js'
import { isObject, type Json, type JsonObject } from './json.js'
import { parseBody } from './request-body.js'
import { matchPath, resolveTarget } from './routing.js'
import { type Entity, isOfType, relatedEntities, type Store, storesLinks } from './store.js'

/** The items nested in the body of a create, by the relation that contains them, and the rest of the body. */
export function takeNested(
  json: JsonObject,
  { navigation }: EntityType,
  { service, behaviour, ...at }: EndpointContext,
): { readonly plain: JsonObject; readonly nested: ReadonlyMap<NavigationProperty, readonly JsonObject[]> } {
  const nested = new Map<NavigationProperty, readonly JsonObject[]>()
  if (service.features.deepInsert === 'none') return { plain: json, nested }
  const plain = Object.entries(json).filter(([name, value]) => {
    const relation = navigation.find(each => each.name === name && each.contained && each.collection)
    if (relation === undefined || !Array.isArray(value)) return true
    nested.set(relation, behaviour.inserted(value.filter(isObject), relation, { service, behaviour, ...at }))
    return false
  })
  return { plain: Object.fromEntries(plain), nested }
}

/**
 * The items that the body of a create links by their URLs in lists, by the relation, and the rest of the body. Undefined: a URL
 * leads to no item.
 *
 * @see OData Protocol 4.01, 11.4.2.2
 */
export function takeInsertedLinks(
  json: JsonObject,
  { navigation }: EntityType,
  at: EndpointContext,
): { readonly plain: JsonObject; readonly links: ReadonlyMap<NavigationProperty, readonly Entity[]> } | undefined {
  const links = new Map<NavigationProperty, readonly Entity[]>()
  if (at.service.features.deepInsert === 'none') return { plain: json, links }
  const plain: Record<string, Json> = {}
  for (const [name, value] of Object.entries(json)) {
    const relation = navigation.find(each => each.name === name && !each.contained)
    const items = (Array.isArray(value) ? value : [value]).filter(isObject)
    if (relation === undefined || !items.every(item => Object.hasOwn(item, '@odata.id'))) {
      plain[name] = value
      continue
    }
    const named = items.map(item => itemAt(item['@odata.id'], relation, at))
    const found = named.filter(each => each !== undefined)
    if (found.length < named.length) return undefined
    links.set(relation, at.behaviour.insertedLinks(found, relation, at))
  }
  return { plain, links }
}

/** A change of the items that a relation contains. */
export interface ContainedChange {
  readonly relation: NavigationProperty
  /** The items to create or change. */
  readonly items: readonly JsonObject[]
  /** The items to remove. */
  readonly removed: readonly Entity[]
}

/** The changes of contained items in the body of an update, and the rest of the body. @see OData Protocol 4.01, 11.4.3.1 */
export function takeContained(
  json: JsonObject,
  row: Entity,
  at: EndpointContext,
): { readonly plain: JsonObject; readonly changes: readonly ContainedChange[] } {
  if (at.service.features.deepUpdate === 'none') return { plain: json, changes: [] }
  const changes: ContainedChange[] = []
  const plain = Object.entries(json).filter(([member, value]) => {
    const [, name = member, delta] = /^(.+)@(?:odata\.)?(delta)$/.exec(member) ?? []
    const relation = row.type.navigation.find(each => each.name === name && each.contained && each.collection)
    if (relation === undefined || !Array.isArray(value)) return true
    const items = value.filter(isObject)
    const existing = row.related.get(name) ?? []
    const named = items.flatMap(item => containedBy(item, relation, existing) ?? [])
    const isRemoved = (item: JsonObject): boolean => Object.hasOwn(item, '@removed')
    const removed =
      delta === undefined
        ? existing.filter(each => !named.includes(each))
        : items.filter(isRemoved).flatMap(item => containedBy(item, relation, existing) ?? [])
    const change = { relation, items: items.filter(item => !isRemoved(item)), removed }
    changes.push(at.behaviour.containedChange(change, delta !== undefined, at))
    return false
  })
  return { plain: Object.fromEntries(plain), changes }
}

export interface LinkedChange {
  readonly relation: NavigationProperty
  readonly added: readonly Entity[]
  readonly removed: readonly Entity[]
}

/**
 * The items that the body of an update links and unlinks by their URLs, and the rest of the body. Undefined: a URL leads to no
 * item.
 *
 * @see OData Protocol 4.01, 11.4.3.1
 */
export function takeLinked(
  json: JsonObject,
  row: Entity,
  at: EndpointContext,
): { readonly plain: JsonObject; readonly changes: readonly LinkedChange[] } | undefined {
  if (at.service.features.deepUpdate === 'none') return { plain: json, changes: [] }
  const changes: LinkedChange[] = []
  const plain: Record<string, Json> = {}
  for (const [member, value] of Object.entries(json)) {
    const [, name = member, delta] = /^(.+)@(?:odata\.)?(delta)$/.exec(member) ?? []
    const relation = row.type.navigation.find(each => each.name === name && !each.contained)
    const items = (Array.isArray(value) ? value : [value]).filter(isObject)
    if (relation === undefined || (value !== null && !items.every(item => Object.hasOwn(item, '@odata.id')))) {
      plain[member] = value
      continue
    }
    const named = items.map(item => ({
      entity: itemAt(item['@odata.id'], relation, at),
      isRemoved: Object.hasOwn(item, '@removed'),
    }))
    const found = named.flatMap(({ entity, isRemoved }) => (entity === undefined ? [] : [{ entity, isRemoved }]))
    if (found.length < named.length) return undefined
    const added = found.filter(({ isRemoved }) => !isRemoved).map(({ entity }) => entity)
    const removed =
      delta === undefined
        ? relatedEntities(at.store, row, relation).filter(each => !added.includes(each))
        : found.filter(({ isRemoved }) => isRemoved).map(({ entity }) => entity)
    changes.push(at.behaviour.linkedChange({ relation, added, removed }, delta !== undefined, at))
  }
  return { plain, changes }
}

/** Links and unlinks items. */
export function changeLinked(row: Entity, changes: readonly LinkedChange[], { store }: EndpointContext): void {
  for (const { relation, added, removed } of changes) {
    for (const entity of removed) removeLink(row, relation, entity)
    for (const entity of added) addLink(row, relation, entity, store)
  }
}

/** The contained item with the key of an item of a body. */
export function containedBy(
  item: JsonObject,
  { type }: NavigationProperty,
  existing: readonly Entity[],
): Entity | undefined {
  return existing.find(({ values }) =>
    type.key.every(({ name }) => item[name] !== undefined && values[name] === item[name]),
  )
}

/** Follows the links of a body, `{"authors@odata.bind": ["authors(1)"]}`. Undefined: a URL leads to no item. */
export function bindLinks(json: JsonObject, entity: Entity, at: EndpointContext): true | undefined {
  if (at.service.features.bind === 'none') return true
  for (const [member, value] of Object.entries(json)) {
    const [, name] = /^(.+)@(?:odata\.)?bind$/.exec(member) ?? []
    const relation = entity.type.navigation.find(each => each.name === name)
    if (relation === undefined) continue
    const urls = Array.isArray(value) ? value : [value]
    const targets = urls.map((url: Json) => itemAt(url, relation, at))
    if (targets.includes(undefined)) return undefined
    const found = targets.filter(each => each !== undefined)
    for (const target of at.behaviour.bound(found, relation, at)) addLink(entity, relation, target, at.store)
  }
  return true
}

/** The item at an absolute or relative URL. */
function itemAt(url: Json | undefined, { type }: NavigationProperty, at: EndpointContext): Entity | undefined {
  if (typeof url !== 'string') return undefined
  const path = url.startsWith(at.request.root) ? url.slice(at.request.root.length) : `/${url}`
  const match = matchPath(at.service, path)
  const endpoint = match?.endpoints.find(({ kind }) => kind === 'item')
  if (match === undefined || endpoint === undefined) return undefined
  const target = resolveTarget(endpoint, { ...at, variables: match.variables })
  return target.kind === 'one' && isOfType(target.row.type, type) ? target.row : undefined
}

/** A write to the links of a relation. */
export type ReferenceChange =
  | { readonly kind: 'add' | 'set'; readonly target: Entity }
  | { readonly kind: 'remove'; readonly target: Entity | undefined }

/** Applies a write to the links of a relation. Without a target, it removes all of them. */
export function changeReference(
  change: ReferenceChange,
  owner: Entity,
  relation: NavigationProperty,
  { store }: EndpointContext,
): void {
  const { kind, target } = change
  if (kind !== 'add') {
    for (const each of relatedEntities(store, owner, relation))
      if (kind === 'set' || target === undefined || each === target) removeLink(owner, relation, each)
  }
  if (kind !== 'remove') addLink(owner, relation, target, store)
}

function addLink(owner: Entity, relation: NavigationProperty, target: Entity, store: Store): void {
  const { partner, constraint } = relation
  if (constraint.length > 0) {
    for (const pair of constraint) owner.values[pair.dependent] = target.values[pair.principal] ?? null
  } else if (partner !== undefined && partner.constraint.length > 0) {
    for (const pair of partner.constraint) target.values[pair.dependent] = owner.values[pair.principal] ?? null
  } else if (partner === undefined || storesLinks(relation)) appendRelated(owner, relation.name, target)
  else appendRelated(target, partner.name, owner)
  store.revision++
}

function appendRelated(entity: Entity, name: string, other: Entity): void {
  const before = entity.related.get(name) ?? []
  if (!before.includes(other)) entity.related.set(name, [...before, other])
}

function removeLink(owner: Entity, relation: NavigationProperty, target: Entity): void {
  const { partner, constraint } = relation
  for (const pair of constraint) owner.values[pair.dependent] = null
  for (const pair of partner?.constraint ?? []) target.values[pair.dependent] = null
  removeRelated(owner, relation.name, target)
  if (partner !== undefined) removeRelated(target, partner.name, owner)
}

function removeRelated(entity: Entity, name: string, other: Entity): void {
  const before = entity.related.get(name)
  if (before !== undefined)
    entity.related.set(
      name,
      before.filter(each => each !== other),
    )
}

/** A relation whose links a request changes, and the endpoint that reads its owner. */
interface ReferenceMatch {
  readonly endpoint: EndpointContext['endpoint']
  readonly variables: ReadonlyMap<string, string>
  readonly relation: NavigationProperty
  /** The type to which the path casts the owner. */
  readonly cast?: EntityType
}

/** Finds the relation whose links a request changes, if the service has such paths. */
export function matchReferenceWrite(service: Service, { method, path }: ReceivedRequest): ReferenceMatch | undefined {
  if (service.features.references === 'none' || !['POST', 'PUT', 'DELETE'].includes(method)) return undefined
  const [, owner = '', name] = /^(.+)\/([^/]+)\/\$ref$/.exec(path) ?? []
  const castName = owner.slice(owner.lastIndexOf('/') + 1)
  const cast = service.entityTypes.find(({ qualifiedName }) => qualifiedName === castName)
  const match = matchPath(service, cast === undefined ? owner : owner.slice(0, -castName.length - 1))
  const endpoint = match?.endpoints.find(({ kind }) => kind === 'item')
  if (match === undefined || endpoint?.kind !== 'item') return undefined
  if (cast !== undefined && !isOfType(cast, endpoint.type)) return undefined
  const relation = (cast ?? endpoint.type).navigation.find(each => each.name === name && !each.contained)
  if (relation === undefined) return undefined
  return { endpoint, variables: match.variables, relation, ...(cast === undefined ? {} : { cast }) }
}

/** Adds, sets or removes a link. @see OData Protocol 4.01, 11.4.6 */
export function writeReference({ relation, cast }: ReferenceMatch, at: EndpointContext): Reply {
  const { behaviour, service, target, request } = at
  const { itemNotFound, invalidBody, methodNotAllowed } = service.faults
  if (target.kind !== 'one' || (cast !== undefined && !behaviour.castKeeps(target.row.type, cast.qualifiedName, at)))
    return behaviour.error(itemNotFound, itemNotFound.message, at)
  if (request.method === 'DELETE') {
    const id = new URLSearchParams(request.query).get('$id')
    const linked = id === null ? undefined : itemAt(id, relation, at)
    if (relation.collection && linked === undefined) return behaviour.error(itemNotFound, itemNotFound.message, at)
    behaviour.changeReference({ kind: 'remove', target: linked }, target.row, relation, at)
    return emptyReply(204)
  }
  if ((request.method === 'POST') !== relation.collection)
    return behaviour.error(methodNotAllowed, methodNotAllowed.message, at)
  const body = parseBody(at)
  if (body.kind !== 'object') return rejectionReply(body, at)
  const linked = itemAt(body.json['@odata.id'], relation, at)
  if (linked === undefined) return behaviour.error(invalidBody, invalidBody.message, at)
  const kind = relation.collection ? 'add' : 'set'
  behaviour.changeReference({ kind, target: linked }, target.row, relation, at)
  return emptyReply(204)
}
