import { sql } from 'kysely'
import { isSubtype, typeKey } from '../../runtime/query/index.js'
import { defaultNestedItems, RequestFault } from '../../runtime/server/index.js'
import type { EntityType, NavigationProperty } from '../../spec/language/index.js'
import {
  type ItemReader,
  idColumn,
  isObject,
  lockedItemReader,
  Placeholder,
  type Scope,
  type Session,
  storedProperties,
} from '../../sql/index.js'
import type { ItemKey, Store } from '../store/store.js'
import { deleteItem } from '../store/write/delete-item.js'
import { InvalidValue } from '../store/write/item-values.js'
import { findItem } from '../store/write/load-records.js'
import {
  changeLinks,
  type FindItem,
  found,
  insertRelated,
  linkItems,
  relatedIds,
  requireReferences,
  unlinkItems,
} from '../store/write/related-items.js'
import { updateItem } from '../store/write/write-item.js'
import { type ComplexTypes, mergePatch, patch } from './merge-patch.js'

type Body = Readonly<Record<string, unknown>>

const deltaOf = (name: string): string => `${name}@odata.delta`

/** Whether a body contains related items. */
export function hasRelated({ navigation }: EntityType, body: Body): boolean {
  return navigation.some(({ name }) => Object.hasOwn(body, name) || Object.hasOwn(body, deltaOf(name)))
}

/** Changes the items that an item contains or leads to, at any depth, as the body of an update says. */
type ChangeRelated = (session: Session, type: EntityType, id: number, body: Body, find: FindItem) => Promise<void>

/**
 * Prepares deep updates. A list replaces the items of a relation: those with the key of one in the list are changed, the others
 * deleted, and what has no such item is created. A delta changes or creates its items, and deletes those with `@removed`. Items
 * that the relation does not contain are linked and unlinked instead, and can be named by their URLs.
 *
 * @throws {InvalidValue} for a new item without a required property, a URL without an item, and a change of an item that the
 *   service has no path for
 * @throws {RequestFault} if a list would remove more items than the limit `nestedItems`
 * @see OData Protocol 4.01, 11.4.3.1 (deep update)
 */
export function relatedChanger(store: Store, complexTypes: ComplexTypes): ChangeRelated {
  const { nestedItems: most = defaultNestedItems } = store.table.limits
  const readers = new Map<EntityType, ItemReader>()
  const readerOf = (type: EntityType): ItemReader => {
    const reader = readers.get(type) ?? lockedItemReader(itemScope(type, store), store)
    readers.set(type, reader)
    return reader
  }

  const changeItem = async (session: Session, type: EntityType, id: number, body: Body, find: FindItem) => {
    const item = await readerOf(type)(session, { [idColumn]: id })
    if (item === undefined) return
    const changes = patch(item, withoutFixed(body, item.type), complexTypes)
    await updateItem(store, session, item.type, id, changes)
    await changeLinks(store, session, item.type, id, body, find)
    await changeAll(session, item.type, id, body, find)
    await requireReferences(store, session, item.type, id)
  }

  const create = async (
    session: Session,
    owner: number,
    navigation: NavigationProperty,
    body: Body,
    find: FindItem,
  ): Promise<void> => {
    const type = typeOf(body, navigation, store)
    const values = complete(body, type, navigation, complexTypes)
    // Lists can name items that exist, so they are not inserted with the new item.
    const lists = type.navigation.flatMap(({ name, contained, collection }) => [
      ...(contained || !collection ? [] : [name]),
      deltaOf(name),
    ])
    const [later, now] = [true, false].map(isLater =>
      Object.fromEntries(Object.entries(values).filter(([name]) => lists.includes(name) === isLater)),
    )
    const id = await insertRelated(store, session, owner, navigation, type, now ?? {}, find)
    await changeAll(session, type, id, later ?? {}, find)
  }

  const changeContained = async (
    session: Session,
    owner: number,
    navigation: NavigationProperty,
    body: Body,
    find: FindItem,
  ): Promise<void> => {
    const table = store.schema.tableOf(navigation.type)
    const column = ownerColumn(navigation, store)
    const isReplaced = Object.hasOwn(body, navigation.name)
    const given = isReplaced ? body[navigation.name] : body[deltaOf(navigation.name)]
    const items = (Array.isArray(given) ? given : [given]).filter(isObject)
    const existing = await childrenOf(session, table.name, column, owner, store)
    const matched = new Map<Body, number>()
    for (const item of items) {
      const key = navigation.collection ? keyOf(item, navigation.type) : undefined
      const near = [{ column, id: owner }]
      const id = key === undefined ? undefined : await findItem(store, session, navigation.type, key, near)
      if (id !== undefined) matched.set(item, id)
      else if (!navigation.collection && existing[0] !== undefined) matched.set(item, existing[0])
    }
    const kept = new Set(matched.values())
    const removed = items.filter(item => item['@removed'] !== undefined)
    const dropped = isReplaced ? existing.filter(id => !kept.has(id)) : []
    if (dropped.length > most) throw tooManyRemoved(navigation, dropped.length, most)
    // What goes comes first: new items may have its values.
    for (const id of dropped) await deleteItem(store, session, table, id)
    for (const item of removed) {
      const id = matched.get(item)
      if (id !== undefined) await deleteItem(store, session, table, id)
    }
    for (const item of items) {
      if (removed.includes(item)) continue
      const id = matched.get(item)
      if (id === undefined) await create(session, owner, navigation, item, find)
      else await changeItem(session, navigation.type, id, item, find)
    }
  }

  const changeLinked = async (
    session: Session,
    owner: number,
    navigation: NavigationProperty,
    body: Body,
    find: FindItem,
  ): Promise<void> => {
    const { name, type, collection } = navigation
    const relation = store.schema.relationOf(navigation)
    const isReplaced = Object.hasOwn(body, name)
    const given = isReplaced ? body[name] : body[deltaOf(name)]
    const items = (Array.isArray(given) ? given : [given]).filter(isObject)
    const present = new Set(await relatedIds(store, session, relation, owner))
    const matched = new Map<Body, number>()
    for (const item of items) {
      const url = item['@odata.id']
      const key = keyOf(item, type)
      const attempt = item['@removed'] === undefined ? 'linked' : 'unlinked'
      if (typeof url === 'string') matched.set(item, await found(session, url, navigation, find, attempt))
      else if (key !== undefined) {
        // Items of other owners can have this key.
        if (store.schema.tableOf(type).owners.length > 0) throw new InvalidValue(name, 'must be named by @odata.id')
        const id = await findItem(store, session, type, key)
        if (id !== undefined) matched.set(item, id)
      }
    }
    const kept = new Set(matched.values())
    const removed = items.filter(item => item['@removed'] !== undefined)
    const dropped = isReplaced && collection ? [...present].filter(id => !kept.has(id)) : []
    if (dropped.length > most) throw tooManyRemoved(navigation, dropped.length, most)
    for (const id of [...dropped, ...removed.map(item => matched.get(item))]) {
      if (id !== undefined && present.has(id)) await unlinkItems(store, session, relation, owner, id)
    }
    const isDependent = relation.kind === 'constraint' && relation.dependent === 'source'
    for (const item of items) {
      if (removed.includes(item)) continue
      const id = matched.get(item)
      const isPresent = id !== undefined && present.has(id)
      if (!collection && !isDependent && !isPresent) await unlinkItems(store, session, relation, owner, undefined)
      if (id === undefined) await create(session, owner, navigation, item, find)
      else {
        if (hasValues(item, type)) {
          if (!isChangeable(type, store)) throw new InvalidValue(name, 'can only be changed at a path of its own')
          await changeItem(session, type, id, item, find)
        }
        if (!isPresent) await linkItems(store, session, relation, owner, id)
      }
    }
  }

  const changeAll: ChangeRelated = async (session, type, id, body, find) => {
    for (const navigation of type.navigation) {
      const { name, contained } = navigation
      if (Object.hasOwn(body, name) || Object.hasOwn(body, deltaOf(name)))
        await (contained ? changeContained : changeLinked)(session, id, navigation, body, find)
    }
  }
  return changeAll
}

/** Whether a body has more than the URL and the key of an item. */
function hasValues(body: Body, { key }: EntityType): boolean {
  return Object.keys(body).some(name => !name.startsWith('@') && !key.some(each => each.name === name))
}

/** Whether the service has a path that changes the items of an entity set, and does not require their entity tags. */
function isChangeable({ name }: EntityType, { table }: Store): boolean {
  return table.routes.some(({ kind, type, resource: [first, ...rest], ifMatch }) => {
    if (kind !== 'update' || type === undefined || first?.kind !== 'entitySet' || rest.length !== 1) return false
    return isSubtype(name, type, table.types) && ifMatch !== 'required'
  })
}

function tooManyRemoved({ name, contained }: NavigationProperty, count: number, limit: number): RequestFault {
  const verb = contained ? 'delete' : 'remove'
  const first = contained ? 'Delete' : 'Remove'
  const reason = `The list would ${verb} ${count} items of ${name}, but the limit nestedItems is ${limit}. ${first} some of them first.`
  return new RequestFault('payloadTooLarge', { target: name, values: { limit, reason } })
}

/** The item of a type with a given `$id`. */
function itemScope(type: EntityType, { schema, engine }: Store): Scope {
  const id = engine.dialect.bind(new Placeholder(idColumn), 'integer')
  return {
    table: schema.tableOf(type),
    type,
    where: alias => sql`${sql.id(alias, idColumn)} = ${id}`,
    parent: undefined,
  }
}

function ownerColumn(navigation: NavigationProperty, { schema }: Store): string {
  const relation = schema.relationOf(navigation)
  if (relation.kind !== 'contained') throw new TypeError(`${navigation.name} does not contain its items.`)
  return relation.column
}

async function childrenOf(
  session: Session,
  table: string,
  column: string,
  owner: number,
  { engine }: Store,
): Promise<readonly number[]> {
  const where = sql`${sql.id(column)} = ${engine.dialect.bind(owner, 'integer')}`
  const rows = await session.all(engine.compile(sql`SELECT ${sql.id(idColumn)} FROM ${sql.id(table)} WHERE ${where}`))
  return rows.map(([id]) => Number(id))
}

function typeOf(item: Body, navigation: NavigationProperty, { schema, table }: Store): EntityType {
  const named = item['@odata.type']
  return typeof named === 'string' ? schema.typeOf(typeKey(named, table.types)) : navigation.type
}

/** The key that an item of the body has. Undefined: it lacks a part. */
function keyOf(item: Body, { key }: EntityType): ItemKey | undefined {
  const values = key.map(({ name }) => item[name])
  const given = values.filter(
    value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  )
  return given.length === key.length && key.length > 0 ? given : undefined
}

/** The values that a change may set: a new item could also have those that only a create sets. */
function withoutFixed(body: Body, { properties }: EntityType): Body {
  const fixed = new Set(properties.flatMap(({ name, createOnly }) => (createOnly ? [name] : [])))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !fixed.has(name)))
}

/**
 * The values of a new item. The server core has not required any, because the item could have existed.
 *
 * @throws {InvalidValue} for a required property without a value
 */
function complete(body: Body, type: EntityType, relation: NavigationProperty, complexTypes: ComplexTypes): Body {
  const determined = new Set((relation.partner?.constraint ?? []).map(({ dependent }) => dependent))
  const values: Record<string, unknown> = { ...body }
  for (const property of storedProperties(type)) {
    const { name, required } = property
    if (required && values[name] === undefined && !determined.has(name))
      throw new InvalidValue(`${relation.name}/${name}`, 'is required')
    if (values[name] !== undefined) values[name] = mergePatch(undefined, values[name], property, complexTypes)
  }
  return values
}
