import { sql } from 'kysely'
import { type BoundedMap, boundedMap } from '../../../runtime/server/index.js'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import {
  allOf,
  encodeValue,
  idColumn,
  Placeholder,
  type Session,
  type SqlValue,
  type Statement,
  StoreError,
  singletonColumn,
  storageOf,
  typeColumn,
  typeCondition,
} from '../../../sql/index.js'
import type { EntityRecord, ItemKey, RecordOwner, Store } from '../store.js'
import { type BulkInsert, bulkInsert } from './bulk-insert.js'
import { deleteItem } from './delete-item.js'
import { newValues } from './item-values.js'
import { linkItems } from './related-items.js'
import { writeStream } from './streams.js'
import type { Placement } from './write-item.js'

/** How to store items. */
export interface LoadOptions {
  /** Stores nothing if the store has items. Of several processes that start together, one loads. */
  readonly onlyIfEmpty?: boolean
}

/** The number of links to collect before their targets are looked up. */
const maxPending = 1_000

/** The number of owners in the cache. Most items of one owner come together. */
const maxOwners = 1000

/** A link whose target may not be stored yet. */
interface PendingLink {
  readonly type: EntityType
  readonly source: number
  readonly navigation: NavigationProperty
  readonly target: ItemKey
  readonly near: readonly Owner[]
}

interface Loading {
  readonly store: Store
  readonly session: Session
  readonly bulk: BulkInsert
  readonly owners: BoundedMap<number>
  /** Links that have not been tried. */
  readonly pending: PendingLink[]
  /** Links whose targets were not found yet. */
  readonly waiting: PendingLink[]
  count: number
}

/**
 * Stores records in one transaction, and links them when their targets exist.
 *
 * @returns the number of stored items
 * @throws {TypeError} for a record that does not fit, or a link without a target
 */
export function loadRecords(
  store: Store,
  records: Iterable<EntityRecord> | AsyncIterable<EntityRecord>,
  { onlyIfEmpty = false }: LoadOptions = {},
): Promise<number> {
  let started = false
  return store.engine.maintain(async session => {
    // The records cannot be read twice, so that the transaction cannot be retried.
    if (started) throw new StoreError('busy', undefined)
    await lock(store, session)
    if (onlyIfEmpty && !(await hasNoItems(store, session))) return 0
    started = true
    const bulk = bulkInsert(store, session)
    const loading: Loading = { store, session, bulk, owners: boundedMap(maxOwners), pending: [], waiting: [], count: 0 }
    for await (const record of records) {
      await storeRecord(record, undefined, 0, loading)
      if (loading.pending.length >= maxPending) await linkPending(loading)
    }
    await linkPending(loading)
    await linkWaiting(loading)
    await bulk.flush()
    return loading.count
  })
}

/** Serialises processes that start or load. An embedded engine has only one writer. */
async function lock({ engine }: Store, session: Session): Promise<void> {
  if (engine.dialect.name !== 'postgres') return
  await session.run(engine.compile(sql`LOCK TABLE ${sql.id('_specwright')} IN EXCLUSIVE MODE`))
}

async function storeRecord(
  record: EntityRecord,
  place: Placement['owner'],
  depth: number,
  loading: Loading,
): Promise<void> {
  const { store, bulk } = loading
  const type = concreteType(record.type, store)
  requireKnown(record, type)
  if (record.singleton !== undefined) await removeSingleton(record.singleton, type, loading)
  const owner = record.owner === undefined ? place : await ownerOf(record.owner, loading)
  const singleton = record.singleton
  const id = await bulk.add(type, newValues(type, record.properties, store), { owner, singleton }, depth)
  loading.count++
  const streams = Object.entries(record.streams ?? {})
  // The row of a stream refers to that of its item.
  if (streams.length > 0) await bulk.flush()
  for (const [name, stream] of streams) {
    await writeStream(store, loading.session, { table: store.schema.tableOf(type) }, id, name, stream)
  }
  for (const [name, nested] of Object.entries(record.contained ?? {})) {
    const relation = relationNamed(name, type)
    for (const child of nested) await storeRecord(child, { id, relation }, depth + 1, loading)
  }
  for (const [name, targets] of Object.entries(record.links ?? {})) {
    const navigation = relationNamed(name, type)
    const near = owner === undefined ? [] : [{ column: ownerColumn(owner.relation, store), id: owner.id }]
    for (const target of targets) loading.pending.push({ type, source: id, navigation, target, near })
  }
}

/** Removes a singleton that was created from defaults, to make room for the given one. */
async function removeSingleton(name: string, type: EntityType, { store, session }: Loading): Promise<void> {
  const table = store.schema.tableOf(type)
  const isIt = sql`${sql.id(singletonColumn)} = ${store.engine.dialect.bind(name, 'text')}`
  const found = sql`SELECT ${sql.id(idColumn)} FROM ${sql.id(table.name)} WHERE ${isIt}`
  const [row] = await session.all(store.engine.compile(found))
  if (row !== undefined) await deleteItem(store, session, table, Number(row[0]))
}

function concreteType(name: string, { service }: Store): EntityType {
  const type = service.entityTypes.find(candidate => candidate.name === name)
  if (type === undefined) throw new TypeError(`A record has the type ${name}, which the spec does not define.`)
  if (type.abstract) throw new TypeError(`A record has the abstract type ${name}. Use a derived type.`)
  return type
}

function requireKnown({ properties }: EntityRecord, type: EntityType): void {
  if (type.open) return
  const unknown = Object.keys(properties).find(name => !type.properties.some(property => property.name === name))
  if (unknown !== undefined) throw new TypeError(`A record of type ${type.name} has the unknown property ${unknown}.`)
}

function relationNamed(name: string, type: EntityType): NavigationProperty {
  const navigation = type.navigation.find(candidate => candidate.name === name)
  if (navigation === undefined) throw new TypeError(`A record of type ${type.name} has the unknown relation ${name}.`)
  return navigation
}

function ownerColumn(relation: NavigationProperty, { schema }: Store): string {
  const found = schema.relationOf(relation)
  return found.kind === 'contained' ? found.column : ''
}

async function ownerOf(
  owner: RecordOwner,
  loading: Loading,
): Promise<{ readonly id: number; readonly relation: NavigationProperty }> {
  const { store, session, owners, bulk } = loading
  const type = store.schema.typeOf(owner.type)
  const relation = relationNamed(owner.relation, type)
  const name = JSON.stringify(owner)
  const known = owners.get(name)
  if (known !== undefined) return { id: known, relation }
  const outer = owner.owner === undefined ? undefined : await ownerOf(owner.owner, loading)
  const near = outer === undefined ? [] : [{ column: ownerColumn(outer.relation, store), id: outer.id }]
  await bulk.flush()
  const id = await findItem(store, session, type, owner.key, near)
  if (id === undefined)
    throw new TypeError(`A record belongs to the ${owner.type} ${owner.key.join('/')}, which does not exist.`)
  owners.set(name, id)
  return { id, relation }
}

/** Links the items whose targets exist. */
async function linkPending({ store, session, bulk, pending, waiting }: Loading): Promise<void> {
  await bulk.flush()
  for (const link of pending.splice(0)) if (!(await linkOne(link, store, session))) waiting.push(link)
}

/** Links the rest, after all items are stored. */
async function linkWaiting({ store, session, waiting }: Loading): Promise<void> {
  for (const link of waiting) {
    if (await linkOne(link, store, session)) continue
    const { type, navigation, target } = link
    throw new TypeError(
      `${type.name}/${navigation.name} points to the ${navigation.type.name} ${target.join('/')}, which does not exist.`,
    )
  }
}

async function linkOne(
  { navigation, source, target, near }: PendingLink,
  store: Store,
  session: Session,
): Promise<boolean> {
  const id = await findItem(store, session, navigation.type, target, near)
  if (id === undefined) return false
  await linkItems(store, session, store.schema.relationOf(navigation), source, id)
  return true
}

/** The owner of an item, and the column that refers to it. */
interface Owner {
  readonly column: string
  readonly id: number
}

/**
 * The `$id` of the item with a type and key. If several items have this key, the one with the same owner comes first, then the
 * one without an owner. Undefined if no item has the key, or several remain.
 */
export async function findItem(
  store: Store,
  session: Session,
  type: EntityType,
  key: ItemKey,
  near: readonly Owner[] = [],
): Promise<number | undefined> {
  const table = store.schema.tableOf(type)
  const values: Record<string, SqlValue> = {}
  for (const [index, property] of type.key.entries()) {
    const column = table.columnOf(property)
    values[column.name] = encodeValue(key[index], column.type, store.engine.dialect) ?? null
  }
  for (const { column, id } of near) {
    // The index of contained items starts with their owner.
    if (!table.owners.some(({ name }) => name === column)) continue
    const [row] = await session.all(findStatement(store, type, column), { ...values, [column]: id })
    if (row !== undefined) return Number(row[0])
  }
  const rows = await session.all(findStatement(store, type), values)
  const free = rows.filter(([, owned]) => Number(owned) === 0)
  const [only, another] = free.length > 0 ? free : rows
  return only === undefined || another !== undefined ? undefined : Number(only[0])
}

const finds = new WeakMap<Store, Map<EntityType, Map<string, Statement>>>()

function findStatement(store: Store, type: EntityType, owner = ''): Statement {
  const ofStore = finds.get(store) ?? new Map<EntityType, Map<string, Statement>>()
  finds.set(store, ofStore)
  const ofType = ofStore.get(type) ?? new Map<string, Statement>()
  ofStore.set(type, ofType)
  const statement = ofType.get(owner) ?? compileFind(store, type, owner)
  ofType.set(owner, statement)
  return statement
}

function compileFind({ schema, engine }: Store, type: EntityType, owner: string): Statement {
  const table = schema.tableOf(type)
  const isKey = type.key.map(property => {
    const column = table.columnOf(property)
    return sql`${sql.id(column.name)} = ${engine.dialect.bind(new Placeholder(column.name), storageOf(column.type.kind))}`
  })
  if (owner !== '') isKey.push(sql`${sql.id(owner)} = ${engine.dialect.bind(new Placeholder(owner), 'integer')}`)
  const where = allOf([...isKey, typeCondition(sql`${sql.id(typeColumn)}`, type, table.types)])
  const free = allOf(table.owners.map(({ name }) => sql`${sql.id(name)} IS NULL`))
  const owned = table.owners.length === 0 ? sql`0` : sql`CASE WHEN ${free} THEN 0 ELSE 1 END`
  return engine.compile(sql`SELECT ${sql.id(idColumn)}, ${owned} FROM ${sql.id(table.name)} WHERE ${where}`)
}

/** Whether the store has no items except singletons, which it always has. */
export function isEmpty(store: Store): Promise<boolean> {
  return store.engine.read(session => hasNoItems(store, session), 'primary')
}

/** The same, inside a transaction. */
async function hasNoItems({ schema, engine }: Store, session: Session): Promise<boolean> {
  for (const { name } of schema.tables) {
    const any = sql`SELECT 1 FROM ${sql.id(name)} WHERE ${sql.id('$singleton')} IS NULL LIMIT 1`
    if ((await session.all(engine.compile(any))).length > 0) return false
  }
  return true
}
