import {
  type CreateEndpoint,
  type CreateMediaEndpoint,
  type DeleteEndpoint,
  type EntityType,
  isUpsert,
  keyInPath,
  type Property,
  type StructuredType,
  type Support,
  type UpdateEndpoint,
} from '../../../spec/language/index.js'
import { type Change, type EndpointContext, emptyReply, type Reply, rejectionReply } from './behaviour.js'
import { isObject, type Json } from './json.js'
import {
  bindLinks,
  type ContainedChange,
  changeLinked,
  containedBy,
  takeContained,
  takeInsertedLinks,
  takeLinked,
  takeNested,
} from './relation-writes.js'
import { itemReply, preferenceValue } from './representation.js'
import { parseBody, readBody, typesBelow } from './request-body.js'
import { resolveTarget } from './routing.js'
import { createEntity, type Entity, isOfType, relatedEntities, type Store } from './store.js'
import { contentOf } from './streams.js'

export function createItem(endpoint: CreateEndpoint, at: EndpointContext): Reply {
  return createIn(endpoint, {}, at)
}

/** Creates an item in the collection that is the target. @param key that the path has; empty for a POST */
function createIn(
  endpoint: Pick<CreateEndpoint, 'type' | 'status'>,
  key: Readonly<Record<string, Json>>,
  at: EndpointContext,
): Reply {
  const { behaviour, service, target, store } = at
  const { invalidBody, itemNotFound } = service.faults
  if (target.kind !== 'many') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const body = parseBody(at)
  if (body.kind !== 'object') return rejectionReply(body, at)
  const types = typesBelow(endpoint.type, [...service.complexTypes, ...service.entityTypes])
  const linked = takeInsertedLinks({ ...body.json, ...key }, endpoint.type, at)
  if (linked === undefined) return behaviour.error(invalidBody, invalidBody.message, at)
  const { plain, nested } = takeNested(linked.plain, endpoint.type, at)
  const read = readBody(plain, endpoint.type, 'create', types, at)
  if (read.kind === 'problem') return behaviour.error(invalidBody, read.message, at)
  if (read.type.kind !== 'entityType' || read.type.abstract)
    return behaviour.error(invalidBody, invalidBody.message, at)
  const { type } = read
  const rejection = conflictError(read.values, type, at) ?? danglingReferenceError(read.values, type, at)
  if (rejection !== undefined) return rejection
  const { source } = target
  const owner = source.kind === 'relation' ? { owner: { entity: source.owner, relation: source.relation } } : {}
  const values = behaviour.create({ ...read.values, ...computedValues(type, at) }, at)
  const entity = createEntity(type, values, owner.owner)
  if (bindLinks(body.json, entity, at) === undefined) return behaviour.error(invalidBody, invalidBody.message, at)
  const added = [...linked.links].map(([relation, entities]) => ({ relation, added: entities, removed: [] }))
  changeLinked(entity, added, at)
  for (const [relation, bodies] of nested) {
    for (const each of bodies) {
      const inner = readBody(each, relation.type, 'create', types, at)
      if (inner.kind === 'problem') return behaviour.error(invalidBody, inner.message, at)
      const own = { ...inner.values, ...computedValues(relation.type, at) }
      const contained = createEntity(relation.type, own, { entity, relation })
      entity.related.set(relation.name, [...(entity.related.get(relation.name) ?? []), contained])
      store.entities.add(contained)
    }
  }
  behaviour.commit({ kind: 'create', entity }, at)
  const status = Number(choiceOrDeclared('createStatus', endpoint.status, at))
  const hasKey = type.key.every(({ name }) => Object.hasOwn(key, name))
  const own = hasKey ? '' : `/${keyText(values, type)}`
  const collection = hasKey ? at.request.path : at.request.path.replace(/\([^/]*$/, '')
  const location = { Location: `${at.request.root}${collection}${own}` }
  if (preferenceValue(at.request.headers.get('Prefer') ?? '', 'return') === 'minimal') return emptyReply(204, location)
  store.createdCount++
  const reply = itemReply(entity, endpoint.type, status, at)
  return { ...reply, headers: { ...reply.headers, ...location } }
}

/** Creates a media entity from its media stream. */
export function createMedia(endpoint: CreateMediaEndpoint, at: EndpointContext): Reply {
  const { behaviour, service, target, store } = at
  const { itemNotFound } = service.faults
  if (target.kind !== 'many') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const stream = behaviour.storedStream(contentOf(endpoint, undefined, at), undefined, at)
  if ('status' in stream) return stream
  const { type } = endpoint
  const entity = createEntity(type, computedValues(type, at))
  entity.streams.set('', stream)
  behaviour.commit({ kind: 'create', entity }, at)
  const location = { Location: `${at.request.root}${at.request.path}/${keyText(entity.values, type)}` }
  store.createdCount++
  const reply = itemReply(entity, type, Number(choiceOrDeclared('createStatus', endpoint.status, at)), at)
  return { ...reply, headers: { ...reply.headers, ...location } }
}

/** The value of an open choice, or the declared value if the spec does not declare the choice. */
export function choiceOrDeclared(
  name: string,
  declared: string | number,
  { service, behaviour }: EndpointContext,
): string | number {
  const isOpen = service.open.some(choice => choice.name === name)
  return (isOpen ? behaviour.choices[name] : undefined) ?? declared
}

/** The values that the service computes for a new item: keys, timestamps and defaults. */
function computedValues(type: EntityType, { store }: EndpointContext): Readonly<Record<string, Json>> {
  const values: Record<string, Json> = {}
  for (const property of type.properties.filter(each => each.computed)) {
    if (property.stamp !== undefined) values[property.name] = currentTimestamp(property)
    else if (type.key.includes(property)) values[property.name] = unusedKey(property, type, store)
    else if (property.default !== undefined) values[property.name] = property.default
  }
  return values
}

/** The current time in the precision of a property. */
function currentTimestamp({ precision = 0 }: Property): string {
  const text = new Date().toISOString()
  return precision === 0 ? `${text.slice(0, 19)}Z` : text
}

/** A key that no item has. It may be that of a deleted one. */
function unusedKey(property: Property, type: EntityType, { createdCount, entities }: Store): Json {
  for (let number = createdCount + entities.size; ; number++) {
    const key = generateKey(property, number)
    const isUsed = [...entities].some(each => isOfType(each.type, type) && each.values[property.name] === key)
    if (!isUsed) return key
  }
}

function generateKey({ type }: Property, number: number): Json {
  const name = primitiveName({ type })
  if (name === 'Guid') return `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`
  return name === 'String' ? `made-${number}` : 100_000 + number
}

/** The error response if another item has the same unique value. */
function conflictError(
  values: Readonly<Record<string, Json>>,
  type: EntityType,
  at: EndpointContext,
  except?: object,
): Reply | undefined {
  const { behaviour, service, store } = at
  const { conflict } = service.faults
  const others = [...store.entities].filter(
    each => each !== except && (isOfType(each.type, type) || isOfType(type, each.type)),
  )
  const same = (property: Property, each: (typeof others)[number]): boolean =>
    values[property.name] !== undefined &&
    values[property.name] !== null &&
    each.values[property.name] === values[property.name]
  const givenKey = type.key.every(property => !property.computed)
  const taken = others.some(each => {
    if (type.alternateKeys.some(key => key.every(property => same(property, each)))) return true
    if (givenKey && except === undefined && type.key.every(property => same(property, each))) return true
    return type.properties.some(property => property.unique && same(property, each))
  })
  return taken ? behaviour.error(conflict, conflict.message, at) : undefined
}

/** The error response if a foreign key refers to no item. */
function danglingReferenceError(
  values: Readonly<Record<string, Json>>,
  type: EntityType,
  at: EndpointContext,
): Reply | undefined {
  const { behaviour, service, store } = at
  const dangling = type.navigation.find(({ constraint, type: principal }) => {
    if (constraint.length === 0 || constraint.some(pair => (values[pair.dependent] ?? null) === null)) return false
    const named = [...store.entities].filter(each => isOfType(each.type, principal))
    return !named.some(each => constraint.every(pair => each.values[pair.principal] === values[pair.dependent]))
  })
  if (dangling === undefined) return undefined
  return behaviour.error(service.faults.invalidBody, `There is no ${dangling.type.name} for '${dangling.name}'.`, at)
}

function keyText(values: Readonly<Record<string, Json>>, { key }: EntityType): string {
  return key.map(({ name }) => encodeURIComponent(String(values[name]))).join(',')
}

/** Updates or replaces an item. */
export function updateItem(endpoint: UpdateEndpoint, at: EndpointContext): Reply {
  const { behaviour, service, target } = at
  const { invalidBody, preconditionFailed } = service.faults
  if (target.kind !== 'one') return createAbsent(endpoint, at)
  const { row } = target
  if (isUpsert(endpoint, service) && behaviour.header('If-None-Match', at) === '*')
    return behaviour.error(preconditionFailed, preconditionFailed.message, at)
  const body = parseBody(at)
  if (body.kind !== 'object') return rejectionReply(body, at)
  const rejection = checkPrecondition(row, endpoint.ifMatch, at)
  if (rejection !== undefined) return rejection
  const types = typesBelow(endpoint.type, [...service.complexTypes, ...service.entityTypes])
  const { '@odata.type': named, ...members } = body.json
  const given = types.find(({ qualifiedName }) => `#${qualifiedName}` === named)
  if (named !== undefined && (given?.kind !== 'entityType' || !isOfType(row.type, given))) {
    return behaviour.error(invalidBody, 'An update cannot change the type of an item.', at)
  }
  const { plain, changes } = takeContained(members, row, at)
  const linked = takeLinked(plain, row, at)
  if (linked === undefined) return behaviour.error(invalidBody, invalidBody.message, at)
  const read = readBody(linked.plain, row.type, endpoint.kind, types, at)
  if (read.kind === 'problem') return behaviour.error(invalidBody, read.message, at)
  const before = { ...row, values: { ...row.values } }
  const stamps: Record<string, Json> = {}
  for (const property of row.type.properties)
    if (property.stamp === 'changed') stamps[property.name] = currentTimestamp(property)
  const values =
    endpoint.kind === 'replace' ? { ...row.values, ...read.values } : behaviour.merge(row.values, read.values, row, at)
  const clash = conflictError(values, row.type, at, row) ?? danglingReferenceError(values, row.type, at)
  if (clash !== undefined) return clash
  const contained = changeContained(row, changes, types, at)
  if (contained !== undefined) return contained
  behaviour.commit({ kind: 'update', entity: row, values: { ...values, ...stamps } }, at)
  // A link can be a value of the item.
  changeLinked(row, linked.changes, at)
  const status = Number(choiceOrDeclared('updateStatus', endpoint.status, at))
  const tag = behaviour.tag(row, at)
  const isMinimal = preferenceValue(at.request.headers.get('Prefer') ?? '', 'return') === 'minimal'
  if (status === 204 || isMinimal) return emptyReply(204, tag === undefined ? {} : { ETag: tag })
  return itemReply(behaviour.updatedItem(before, row, at), endpoint.type, status, at)
}

/** Creates the item that an update addresses, if the service does that. */
function createAbsent(endpoint: UpdateEndpoint, at: EndpointContext): Reply {
  const { behaviour, service } = at
  const { itemNotFound, preconditionFailed, preconditionRequired } = service.faults
  if (!isUpsert(endpoint, service)) return behaviour.error(itemNotFound, itemNotFound.message, at)
  if (behaviour.header('If-Match', at) !== null && !behaviour.upserts(at))
    return behaviour.error(preconditionFailed, preconditionFailed.message, at)
  if (!behaviour.upserts(at)) return behaviour.error(itemNotFound, itemNotFound.message, at)
  const isConditional = (['If-Match', 'If-None-Match'] as const).some(name => behaviour.header(name, at) !== null)
  if (endpoint.ifMatch === 'required' && !isConditional)
    return behaviour.error(preconditionRequired, preconditionRequired.message, at)
  const target = resolveTarget({ resolved: endpoint.resolved.slice(0, -1) }, at)
  const { type, keys } = endpoint
  const key = keys.slice(-keyInPath(endpoint).length).map(({ property, variable }): readonly [string, Json] => {
    const text = (at.variables.get(variable) ?? '').replace(/^'(.*)'$/s, '$1')
    return [property.name, /^(?:Edm\.)?(?:S?Byte|Int)/.test(primitiveName(property)) ? Number(text) : text]
  })
  return createIn({ type, status: 201 }, Object.fromEntries(key), { ...at, target })
}

function primitiveName({ type }: Pick<Property, 'type'>): string {
  return type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : 'String'
}

/** Applies the changes of the items that an item contains. Returns the error response if one is invalid. */
function changeContained(
  row: Entity,
  changes: readonly ContainedChange[],
  types: ReturnType<typeof typesBelow>,
  at: EndpointContext,
): Reply | undefined {
  const { behaviour, service, store } = at
  const { invalidBody } = service.faults
  for (const { relation, items, removed } of changes) {
    for (const entity of removed) removeEntity(entity, store)
    for (const item of items) {
      const existing = containedBy(item, relation, row.related.get(relation.name) ?? [])
      const { type } = relation
      if (existing !== undefined) {
        const own = Object.fromEntries(
          Object.entries(item).filter(([name]) => !type.key.some(key => key.name === name)),
        )
        const read = readBody(own, type, 'update', types, at)
        if (read.kind === 'problem') return behaviour.error(invalidBody, read.message, at)
        existing.values = { ...merge(existing.values, read.values, type) }
        continue
      }
      const read = readBody(item, type, 'create', types, at)
      if (read.kind === 'problem') return behaviour.error(invalidBody, read.message, at)
      const entity = createEntity(type, { ...read.values, ...computedValues(type, at) }, { entity: row, relation })
      row.related.set(relation.name, [...(row.related.get(relation.name) ?? []), entity])
      store.entities.add(entity)
    }
  }
  return undefined
}

/** Deletes an item, unless a required relation refers to it. */
export function deleteItem(endpoint: DeleteEndpoint, at: EndpointContext): Reply {
  const { behaviour, service, target, store } = at
  const { itemNotFound, conflict } = service.faults
  if (target.kind !== 'one') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const { row } = target
  const rejection = checkPrecondition(row, endpoint.ifMatch, at)
  if (rejection !== undefined) return rejection
  const isNeeded = row.type.navigation.some(
    relation => relation.onDelete === 'restrict' && relatedEntities(store, row, relation).length > 0,
  )
  if (isNeeded) {
    const error = endpoint.errors.find(each => each.status === 409) ?? conflict
    return behaviour.error(error, error.message, at)
  }
  behaviour.commit({ kind: 'delete', entity: row }, at)
  return emptyReply(Number(choiceOrDeclared('deleteStatus', endpoint.status, at)))
}

/** The error response if `If-Match` is missing or does not match. Undefined: continue. */
function checkPrecondition(row: Entity, support: Support, at: EndpointContext): Reply | undefined {
  const { behaviour, service } = at
  const { preconditionFailed, preconditionRequired } = service.faults
  const given = behaviour.header('If-Match', at)
  const tag = behaviour.tag(row, at)
  if (given === null) {
    return support === 'required' ? behaviour.error(preconditionRequired, preconditionRequired.message, at) : undefined
  }
  if (support === 'none' || behaviour.matchesTag(given, tag, 'If-Match', at)) return undefined
  return behaviour.error(preconditionFailed, preconditionFailed.message, at)
}

/** Whether a header lists a tag. The comparison is weak, because these services also issue weak tags for updates. */
export function matchesTag(header: string, tag: string | undefined): boolean {
  if (header.trim() === '*') return true
  if (tag === undefined) return false
  return header.split(',').some(each => opaqueTag(each.trim()) === opaqueTag(tag))
}

function opaqueTag(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/** The entity tag of an item. Undefined if its type has none. */
export function tagOf(row: Entity, at: EndpointContext): string | undefined {
  const { entityTag } = row.type
  if (entityTag === 'none') return undefined
  const form = choiceOrDeclared('entityTag', entityTag, at)
  if (form === 'none') return undefined
  return form === 'weak' ? `W/"${row.version}"` : `"${row.version}"`
}

type EntityValues = Readonly<Record<string, Json>>

/** The values after an update: omitted properties stay, complex values are merged recursively, collections are replaced. */
export function merge(old: EntityValues, changes: EntityValues, type: StructuredType): EntityValues {
  const merged: Record<string, Json> = Object.assign(Object.create(null), old)
  for (const property of type.properties) {
    if (!Object.hasOwn(changes, property.name)) continue
    const change = changes[property.name] ?? null
    const before = old[property.name] ?? null
    const isPart = property.type.kind === 'complexType' && !property.collection && isObject(change)
    merged[property.name] =
      isPart && property.type.kind === 'complexType'
        ? { ...merge(isObject(before) ? before : defaultsOf(property.type), change, property.type) }
        : change
  }
  return merged
}

/** The default values of a complex type. */
function defaultsOf(type: StructuredType): EntityValues {
  const values: Record<string, Json> = Object.create(null)
  for (const property of type.properties) values[property.name] = property.default ?? (property.collection ? [] : null)
  return values
}

/** Applies a write to the store. */
export function commit(change: Change, at: EndpointContext): void {
  const { store } = at
  store.revision++
  change.entity.changedAt = store.revision
  if (change.kind === 'update') {
    change.entity.values = { ...change.values }
    change.entity.version++
  } else if (change.kind === 'create') addEntity(change.entity, at)
  else removeEntity(change.entity, store)
}

function addEntity(entity: Entity, { store, target }: EndpointContext): void {
  store.entities.add(entity)
  if (target.kind !== 'many') return
  const { source } = target
  if (source.kind === 'set') store.sets.set(source.name, [...(store.sets.get(source.name) ?? []), entity])
  if (source.kind === 'relation') {
    const { owner, relation } = source
    owner.related.set(relation.name, [...(owner.related.get(relation.name) ?? []), entity])
  }
}

/** Removes an item, its contained items and all links to it. */
export function removeEntity(entity: Entity, store: Store): void {
  store.entities.delete(entity)
  for (const [name, rows] of store.sets) {
    if (!rows.includes(entity)) continue
    store.sets.set(
      name,
      rows.filter(row => row !== entity),
    )
    const key: Record<string, Json> = {}
    for (const property of entity.type.key) key[property.name] = entity.values[property.name] ?? null
    store.removed.push({ set: name, key, at: store.revision })
  }
  for (const inner of [...store.entities].filter(each => each.owner?.entity === entity)) removeEntity(inner, store)
  for (const other of store.entities) removeLinks(other, entity)
}

function removeLinks(other: Entity, deleted: Entity): void {
  for (const [name, rows] of other.related) {
    if (rows.includes(deleted))
      other.related.set(
        name,
        rows.filter(row => row !== deleted),
      )
  }
  for (const relation of other.type.navigation) {
    if (!relation.nullable || relation.constraint.length === 0) continue
    const refers = relation.constraint.every(pair => other.values[pair.dependent] === deleted.values[pair.principal])
    if (!refers || relation.type !== deleted.type) continue
    for (const pair of relation.constraint) other.values[pair.dependent] = null
  }
}
