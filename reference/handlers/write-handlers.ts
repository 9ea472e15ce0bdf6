import { isSubtype, typeKey } from '../../runtime/query/index.js'
import { type AnyCall, type AnyHandler, CreatedItem, type Route } from '../../runtime/server/index.js'
import type { EntityType, Property } from '../../spec/language/index.js'
import {
  dynamicProperties,
  type ItemReader,
  idColumn,
  isObject,
  itemByIdReader,
  itemFinder,
  lockedItemReader,
  type Scope,
  type Session,
  type StoredItem,
  scopeOf,
  storedProperties,
} from '../../sql/index.js'
import { deleteItem } from '../store/write/delete-item.js'
import {
  changeLinks,
  type FindItem,
  hasLinks,
  insertRelated,
  insertWithRelated,
  requireReferences,
} from '../store/write/related-items.js'
import { updateItem } from '../store/write/write-item.js'
import { hasRelated, relatedChanger } from './deep-update.js'
import { type HandlerContext, placeholderValues } from './handler-context.js'
import { type ComplexTypes, patch } from './merge-patch.js'
import { faultOf, writeFault } from './request-faults.js'

/** Creates an item in a collection: contained in the parent item of the path, linked to it, or without a parent. */
export function createHandler(_route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  // The declared type is that of the collection, so that an item of a derived type includes its `@odata.type`.
  const read = itemByIdReader(scope.type, store)
  const parent = scope.parent
  const findParent = parent === undefined ? undefined : itemFinder(parent.scope, store)
  const finderOf = linkedItemFinder(store)
  return async call => {
    const body = isObject(call.body) ? call.body : {}
    const type = createdType(body, scope, store)
    try {
      return await store.engine.write(async session => {
        const owner = findParent === undefined ? undefined : await findParent(session, placeholderValues(call, store))
        if (findParent !== undefined && owner === undefined) throw faultOf('itemNotFound', call, store.table)
        const find = finderOf(call)
        const id =
          owner === undefined || parent === undefined
            ? await insertWithRelated(store, session, type, body, find)
            : await insertRelated(store, session, owner, parent.relation.navigation, type, body, find)
        const created = await read(session, { [idColumn]: id })
        return created?.entity
      })
    } catch (error) {
      throw writeFault(error, call, store.table)
    }
  }
}

/** Finds the items that bodies name by their URLs. The statements are compiled once for each entity set and type. */
function linkedItemFinder(store: HandlerContext['store']): (call: AnyCall) => FindItem {
  const finders = new Map<string, ReturnType<typeof itemFinder> | undefined>()
  return call => async (session, url, type) => {
    const item = call.reference(url)
    const [first] = item?.resource ?? []
    if (item === undefined || first === undefined || !('name' in first)) return undefined
    const name = JSON.stringify([item.resource, type.name])
    if (!finders.has(name)) {
      const isWider = !isSubtype(item.type, type.name, store.table.types)
      const narrowed = isWider ? [...item.resource, { kind: 'cast', type: type.name } as const] : item.resource
      const scope = scopeOf({ resource: narrowed }, store)
      finders.set(name, scope === undefined ? undefined : itemFinder(scope, store))
    }
    const { parameters, principal, template } = call
    return finders.get(name)?.(session, placeholderValues({ keys: item.keys, parameters, principal, template }, store))
  }
}

/** The type that the body names, or the type of the collection. The server core has validated the name. */
function createdType(
  body: Readonly<Record<string, unknown>>,
  scope: Scope,
  { schema, table }: HandlerContext['store'],
): EntityType {
  const name = body['@odata.type']
  if (typeof name !== 'string') return scope.type
  return schema.typeOf(typeKey(name, table.types))
}

type Body = Readonly<Record<string, unknown>>

/**
 * Updates or replaces an item. The entity tag is compared inside the transaction, so that of several callers with the same
 * tag exactly one succeeds.
 */
export function updateHandler({ kind }: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const readLocked = lockedItemReader(scope, store)
  const readers = new Map<string, ItemReader>()
  const changesOf = kind === 'replace' ? replacement : patch
  const finderOf = linkedItemFinder(store)
  const upsert = upserter(scope, store)
  const complexTypes: ComplexTypes = name => {
    const type = store.schema.typeNamed(typeKey(name, store.table.types))
    return type?.kind === 'complexType' ? type : undefined
  }
  const changeRelated = relatedChanger(store, complexTypes)
  return async call => {
    try {
      return await store.engine.write(async session => {
        const item = await readLocked(session, placeholderValues(call, store))
        const tag = item === undefined ? null : tagOf(item)
        if (!call.precondition.holds(tag)) throw faultOf('preconditionFailed', call, store.table)
        if (item === undefined) {
          const created = await upsert(session, call)
          return created === undefined ? null : new CreatedItem(created)
        }
        const given = call.bodyAs(item.type.name, item.entity)
        const body: Body = isObject(given) ? given : {}
        const changes = changesOf(item, body, complexTypes, call.replacedValue)
        const open = item.type.open ? openAfter(item, body, kind) : undefined
        if (changes.size === 0 && open === undefined && !hasLinks(body) && !hasRelated(item.type, body))
          return item.entity
        await updateItem(store, session, item.type, Number(Number(item.id)), changes, open)
        if (hasLinks(body)) await changeLinks(store, session, item.type, Number(Number(item.id)), body, finderOf(call))
        await changeRelated(session, item.type, Number(item.id), body, finderOf(call))
        await requireReferences(store, session, item.type, Number(item.id))
        const reader = readers.get(item.type.name) ?? itemByIdReader(scope.type, store)
        readers.set(item.type.name, reader)
        return (await reader(session, { [idColumn]: item.id }))?.entity
      })
    } catch (error) {
      throw writeFault(error, call, store.table)
    }
  }
}

/** Creates the item that an update addresses, if the service has upsert. Undefined: it has not. */
function upserter(scope: Scope, store: HandlerContext['store']): (session: Session, call: AnyCall) => Promise<unknown> {
  const read = itemByIdReader(scope.type, store)
  const parent = scope.parent
  const findParent = parent === undefined ? undefined : itemFinder(parent.scope, store)
  const finderOf = linkedItemFinder(store)
  return async (session, call) => {
    const given = call.newItem?.()
    if (!isObject(given)) return undefined
    const owner = findParent === undefined ? undefined : await findParent(session, placeholderValues(call, store))
    if (findParent !== undefined && owner === undefined) return undefined
    const type = createdType(given, scope, store)
    const find = finderOf(call)
    const id =
      owner === undefined || parent === undefined
        ? await insertWithRelated(store, session, type, given, find)
        : await insertRelated(store, session, owner, parent.relation.navigation, type, given, find)
    return (await read(session, { [idColumn]: id }))?.entity
  }
}

/** The entity tag of an item; undefined if its type has none. */
function tagOf({ entity }: StoredItem): string | undefined {
  const tag = entity['@odata.etag']
  return typeof tag === 'string' ? tag : undefined
}

/** The dynamic properties of an item of an open type after the update. Null removes a property. */
function openAfter({ type, entity }: StoredItem, body: Body, kind: Route['kind']): Body {
  const given = dynamicProperties(type, body)
  const all = kind === 'replace' ? given : { ...dynamicProperties(type, entity), ...given }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

/** All properties that can be replaced. Properties that the body omits get their default values. */
function replacement({ type }: StoredItem, body: Body): ReadonlyMap<Property, unknown> {
  const replaced = storedProperties(type).filter(property => {
    return !property.computed && !property.createOnly && !type.key.includes(property)
  })
  return new Map(replaced.map(property => [property, replacedValue(property, body)]))
}

function replacedValue({ name, collection, default: initial }: Property, body: Body): unknown {
  if (Object.hasOwn(body, name) && body[name] !== undefined) return body[name]
  return initial ?? (collection ? [] : null)
}

/** Deletes an item and the items that it contains. */
export function deleteHandler(_route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const readLocked = lockedItemReader(scope, store)
  return async call => {
    try {
      await store.engine.write(async session => {
        const item = await readLocked(session, placeholderValues(call, store))
        if (item === undefined) throw faultOf('itemNotFound', call, store.table)
        if (!call.precondition.holds(tagOf(item))) throw faultOf('preconditionFailed', call, store.table)
        await deleteItem(store, session, scope.table, Number(item.id))
      })
    } catch (error) {
      throw writeFault(error, call, store.table)
    }
  }
}
