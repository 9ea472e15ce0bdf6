import type { AnyHandler, Route } from '../../runtime/server/index.js'
import type { Property } from '../../spec/language/index.js'
import type { StoredItem } from '../store/read/row-shape.js'
import type { Scope } from '../store/read/scope.js'
import { type ItemReader, itemByIdReader, lockedItemReader } from '../store/read/select-item.js'
import { openMembers } from '../store/schema/open-members.js'
import { idColumn } from '../store/schema/store-schema.js'
import { isObject } from '../store/value/json-object.js'
import { keptProperties } from '../store/write/item-values.js'
import { requireReferences } from '../store/write/require-references.js'
import { updateItem } from '../store/write/update-item.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { mergedValue } from './merged-value.js'
import { refusalOf } from './refuse.js'
import { writeRefusal } from './write-refusal.js'

type Body = Readonly<Record<string, unknown>>

/**
 * Changes an item, or replaces what may be replaced of it. Its tag is compared in the transaction that changes it, so that
 * of several callers with one tag exactly one succeeds.
 */
export function updateHandler({ kind }: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const readLocked = lockedItemReader(scope, store)
  const readers = new Map<string, ItemReader>()
  const changesOf = kind === 'replace' ? replacement : patch
  return async call => {
    const body: Body = isObject(call.body) ? call.body : {}
    try {
      return await store.engine.write(async session => {
        const item = await readLocked(session, slotValues(call, store))
        const tag = item === undefined ? null : tagOf(item)
        if (!call.precondition.holds(tag)) throw refusalOf('preconditionFailed', call, store.table)
        if (item === undefined) return null
        const changes = changesOf(item, body)
        const open = item.type.open ? openAfter(item, body, kind) : undefined
        if (changes.size === 0 && open === undefined) return item.entity
        await updateItem(store, session, item.type, item.id, changes, open)
        await requireReferences(store, session, item.type, item.id)
        const reader = readers.get(item.type.name) ?? itemByIdReader(scope.type, store)
        readers.set(item.type.name, reader)
        return (await reader(session, { [idColumn]: item.id }))?.entity
      })
    } catch (error) {
      throw writeRefusal(error, call, store.table)
    }
  }
}

/** The entity tag of an item that was read; undefined: its type has none. */
export function tagOf({ entity }: StoredItem): string | undefined {
  const tag = entity['@odata.etag']
  return typeof tag === 'string' ? tag : undefined
}

/** What an item of an open type has beside its declared properties, afterwards; null takes one away. */
function openAfter({ type, entity }: StoredItem, body: Body, kind: Route['kind']): Body {
  const given = openMembers(type, body)
  const all = kind === 'replace' ? given : { ...openMembers(type, entity), ...given }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

/** What the body names; the rest stays, and so does the key. @see OData Protocol 4.01, 11.4.3 */
function patch({ type, entity }: StoredItem, body: Body): ReadonlyMap<Property, unknown> {
  const isGiven = (property: Property): boolean => Object.hasOwn(body, property.name) && !type.key.includes(property)
  const given = keptProperties(type).filter(isGiven)
  return new Map(given.map(property => [property, mergedValue(entity[property.name], body[property.name], property)]))
}

/** All that may be replaced: what the body lacks goes to its default. */
function replacement({ type }: StoredItem, body: Body): ReadonlyMap<Property, unknown> {
  const replaced = keptProperties(type).filter(property => {
    return !property.computed && !property.createOnly && !type.key.includes(property)
  })
  return new Map(replaced.map(property => [property, replacedValue(property, body)]))
}

function replacedValue({ name, collection, default: initial }: Property, body: Body): unknown {
  if (Object.hasOwn(body, name) && body[name] !== undefined) return body[name]
  return initial ?? (collection ? [] : null)
}
