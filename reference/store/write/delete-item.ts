import { sql } from 'kysely'
import { RequestFault } from '../../../runtime/server/index.js'
import { derivesFrom, type EntityType, type NavigationProperty } from '../../../spec/language/index.js'
import {
  idColumn,
  type Relation,
  related,
  type Session,
  type Sql,
  StoreError,
  storageOf,
  type Table,
  typeColumn,
  versionColumn,
} from '../../../sql/index.js'
import type { Store } from '../store.js'
import { nextVersion } from './versions.js'

/**
 * Deletes an item, the items that it contains, and all links to it. Follows the `onDelete` rules of its relations: cascade,
 * set null or restrict.
 *
 * @throws {StoreError} `reference`: items refer to it that must not lose their target
 */
export async function deleteItem(store: Store, session: Session, table: Table, id: number): Promise<void> {
  const type = await typeOfItem(store, session, table, id)
  if (type === undefined) return
  await countDeleted(store, session, table, id)
  for (const navigation of type.navigation) await followOnDelete(navigation, store, session, id)
  await releaseDependents(store, session, table, type, id)
  await recordRemoval(store, session, table, id)
  const { bind } = store.engine.dialect
  await session.run(
    store.engine.compile(sql`DELETE FROM ${sql.id(table.name)} WHERE ${sql.id(idColumn)} = ${bind(id, 'integer')}`),
  )
}

/** The default of the limit `deletedItems`. */
const defaultDeletedItems = 10_000

/** The items whose contained items one statement finds. */
const ownersPerStatement = 500

/** The items that each transaction has deleted so far. */
const deleted = new WeakMap<Session, number>()

/** @throws {RequestFault} `conflict` if the transaction would delete more items than it may */
function requireDeletable(count: number, { table }: Store, session: Session): void {
  const { deletedItems: limit = defaultDeletedItems } = table.limits
  if ((deleted.get(session) ?? 0) + count <= limit) return
  const reason = `It would delete more items than the limit deletedItems, which is ${limit}. Delete some of those that it contains first.`
  throw new RequestFault('conflict', { values: { limit, reason } })
}

/** Counts an item and those that it contains, at any depth. It reads no more of them than may be deleted. */
async function countDeleted(store: Store, session: Session, table: Table, id: number): Promise<void> {
  const { compile, dialect } = store.engine
  const { deletedItems: limit = defaultDeletedItems } = store.table.limits
  const count = (found: number): void => {
    requireDeletable(found, store, session)
    deleted.set(session, (deleted.get(session) ?? 0) + found)
  }
  count(1)
  const owners: { readonly table: Table; readonly ids: readonly number[] }[] = [{ table, ids: [id] }]
  for (let next = owners.shift(); next !== undefined; next = owners.shift()) {
    const { table: owner, ids } = next
    for (const child of store.schema.tables) {
      for (const { name } of child.owners.filter(each => each.owner === owner)) {
        const isOwned = sql`${sql.id(name)} IN (${sql.join(ids.map(each => dialect.bind(each, 'integer')))})`
        const most = sql.lit(limit - (deleted.get(session) ?? 0) + 1)
        const found = sql`SELECT ${sql.id(idColumn)} FROM ${sql.id(child.name)} WHERE ${isOwned} LIMIT ${most}`
        const rows = await session.all(compile(found))
        count(rows.length)
        for (let first = 0; first < rows.length; first += ownersPerStatement) {
          const some = rows.slice(first, first + ownersPerStatement)
          owners.push({ table: child, ids: some.map(([row]) => Number(row)) })
        }
      }
    }
  }
}

async function typeOfItem(store: Store, session: Session, table: Table, id: number): Promise<EntityType | undefined> {
  const where = sql`${sql.id(idColumn)} = ${store.engine.dialect.bind(id, 'integer')}`
  const select = sql`SELECT ${sql.id(typeColumn)} FROM ${sql.id(table.name)} WHERE ${where}`
  const [row] = await session.all(store.engine.compile(select))
  return row === undefined ? undefined : store.schema.typeOf(String(row[0]))
}

/** Applies the `onDelete` rule of a relation to its targets. */
async function followOnDelete(
  navigation: NavigationProperty,
  store: Store,
  session: Session,
  id: number,
): Promise<void> {
  const { onDelete } = navigation
  if (navigation.contained || !navigation.collection || onDelete === undefined || onDelete === 'none') return
  const relation = store.schema.relationOf(navigation)
  const targets = await targetIds(relation, store, session, id)
  if (targets.length === 0) return
  if (onDelete === 'cascade') requireDeletable(targets.length, store, session)
  if (onDelete === 'restrict') throw new StoreError('reference', new Error(`${navigation.name} is not empty.`))
  if (onDelete === 'cascade') for (const target of targets) await deleteItem(store, session, relation.target, target)
  if (onDelete === 'setNull' && relation.kind === 'constraint') await clearDependents(relation, targets, store, session)
}

async function targetIds(relation: Relation, store: Store, session: Session, id: number): Promise<readonly number[]> {
  const { bind } = store.engine.dialect
  const isSource = sql`${sql.id('s', idColumn)} = ${bind(id, 'integer')}`
  const from = sql`${sql.id(relation.source.name)} AS s JOIN ${sql.id(relation.target.name)} AS t ON ${related(relation, column => sql`${sql.id('s', column)}`, 't')}`
  const rows = await session.all(
    store.engine.compile(sql`SELECT ${sql.id('t', idColumn)} FROM ${from} WHERE ${isSource}`),
  )
  return rows.map(([target]) => Number(target))
}

/** Clears the properties that refer to a related item, where they can be null. */
export async function clearDependents(
  relation: Extract<Relation, { kind: 'constraint' }>,
  ids: readonly number[],
  store: Store,
  session: Session,
): Promise<void> {
  const isSource = relation.dependent === 'source'
  const table = isSource ? relation.source : relation.target
  const columns = relation.pairs
    .map(pair => (isSource ? pair.source : pair.target))
    .filter(column => column.property.nullable)
  if (columns.length === 0) return
  const { bind } = store.engine.dialect
  for (const id of ids) {
    const version = bind(await nextVersion(store, session, table), 'integer')
    const cleared: readonly Sql[] = [
      ...columns.map(({ name }) => sql`${sql.id(name)} = NULL`),
      sql`${sql.id(versionColumn)} = ${version}`,
    ]
    const where = sql`${sql.id(idColumn)} = ${bind(id, 'integer')}`
    await session.run(store.engine.compile(sql`UPDATE ${sql.id(table.name)} SET ${sql.join(cleared)} WHERE ${where}`))
  }
}

/** Clears references to the item by referential constraints with `onDelete: setNull`. */
async function releaseDependents(
  store: Store,
  session: Session,
  table: Table,
  type: EntityType,
  id: number,
): Promise<void> {
  const all = new Set(store.service.entityTypes.flatMap(each => each.ownNavigation))
  for (const navigation of all) {
    if (navigation.collection || navigation.onDelete !== 'setNull' || !derivesFrom(type, navigation.type)) continue
    const relation = store.schema.relationOf(navigation)
    if (relation.kind !== 'constraint' || relation.dependent !== 'source' || relation.target !== table) continue
    await clearDependents(relation, await sourceIds(relation, store, session, id), store, session)
  }
}

async function sourceIds(relation: Relation, store: Store, session: Session, id: number): Promise<readonly number[]> {
  const { bind } = store.engine.dialect
  const from = sql`${sql.id(relation.source.name)} AS s JOIN ${sql.id(relation.target.name)} AS t ON ${related(relation, column => sql`${sql.id('s', column)}`, 't')}`
  const where = sql`${sql.id('t', idColumn)} = ${bind(id, 'integer')}`
  const rows = await session.all(store.engine.compile(sql`SELECT ${sql.id('s', idColumn)} FROM ${from} WHERE ${where}`))
  return rows.map(([source]) => Number(source))
}

/** Records the removal of an item, and of the items that it contains, for callers who track changes. */
async function recordRemoval(store: Store, session: Session, table: Table, id: number): Promise<void> {
  for (const child of store.schema.tables) {
    for (const { name, owner } of child.owners) {
      if (owner !== table || !leadsToTracked(child, store, new Set())) continue
      const where = sql`${sql.id(name)} = ${store.engine.dialect.bind(id, 'integer')}`
      const select = sql`SELECT ${sql.id(idColumn)} FROM ${sql.id(child.name)} WHERE ${where}`
      const rows = await session.all(store.engine.compile(select))
      for (const [childId] of rows) await recordRemoval(store, session, child, Number(childId))
    }
  }
  if (table.tracksChanges) await writeRemoval(store, session, table, id)
}

function leadsToTracked(table: Table, store: Store, seen: Set<Table>): boolean {
  if (table.tracksChanges) return true
  if (seen.has(table)) return false
  seen.add(table)
  return store.schema.tables.some(
    child => child.owners.some(({ owner }) => owner === table) && leadsToTracked(child, store, seen),
  )
}

async function writeRemoval(store: Store, session: Session, table: Table, id: number): Promise<void> {
  const { bind, lossless } = store.engine.dialect
  const keys = table.root.key.map(property => table.columnOf(property))
  const owners = table.owners.map(({ name }) => sql`${sql.id(name)}`)
  const columns = sql.join([
    sql`${sql.id(typeColumn)}`,
    ...keys.map(({ name, type }) => lossless(sql`${sql.id(name)}`, storageOf(type.kind))),
    ...owners,
  ])
  const where = sql`${sql.id(idColumn)} = ${bind(id, 'integer')}`
  const [row] = await session.all(
    store.engine.compile(sql`SELECT ${columns} FROM ${sql.id(table.name)} WHERE ${where}`),
  )
  if (row === undefined) return
  const version = await nextVersion(store, session, table)
  const home = table.owners.findIndex((_, index) => row[1 + keys.length + index] !== null)
  const values = [
    bind(table.name, 'text'),
    bind(version, 'integer'),
    bind(String(row[0]), 'text'),
    bind(table.owners[home]?.name ?? null, 'text'),
    bind(home < 0 ? null : Number(row[1 + keys.length + home]), 'integer'),
    bind(JSON.stringify(row.slice(1, 1 + keys.length)), 'text'),
    bind(store.now().toISOString(), 'text'),
  ]
  await session.run(
    store.engine.compile(
      sql`INSERT INTO ${sql.id('$removed')} ("table", version, type, home, owner, keys, at) VALUES (${sql.join(values)})`,
    ),
  )
}
