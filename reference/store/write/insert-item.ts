import { sql } from 'kysely'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import type { Session } from '../engine/engine.js'
import { Slot, type SqlValue } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import { allOf } from '../filter/combine.js'
import { idColumn, singletonColumn, type Table, typeColumn, versionColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { insertedColumns } from './inserted-columns.js'
import type { ColumnValues } from './item-values.js'
import { nextVersion } from './reserve-versions.js'
import { writeWords } from './write-words.js'

/** Where a new item belongs. */
export interface NewPlace {
  /** The item that contains it, and by which relation. */
  readonly owner?: { readonly id: number; readonly relation: NavigationProperty } | undefined
  /** The singleton that it is. */
  readonly singleton?: string | undefined
}

/** Stores a new item. @returns its `$id` @throws {StoreError} when it is not as unique as it must be */
export async function insertItem(
  store: Store,
  session: Session,
  type: EntityType,
  values: ColumnValues,
  place: NewPlace = {},
): Promise<number> {
  const table = store.schema.tableOf(type)
  const all: Record<string, SqlValue> = {
    ...values,
    [typeColumn]: type.name,
    [versionColumn]: await nextVersion(store, session, table),
    [singletonColumn]: place.singleton ?? null,
  }
  for (const { name, relation } of table.owners) all[name] = place.owner?.relation === relation ? place.owner.id : null
  await countKeys(store, session, type, all)
  const [row] = await session.all(insertStatement(store, type), all)
  const id = Number(row?.[0])
  await writeWords(store, session, table, id, all, true)
  return id
}

/** Numbers the key of an item that has none yet: one more than the largest among those beside it. */
export async function countKeys(
  store: Store,
  session: Session,
  type: EntityType,
  values: Record<string, SqlValue>,
): Promise<void> {
  const table = store.schema.tableOf(type)
  for (const property of type.key) {
    const { name } = table.columnOf(property)
    if (values[name] !== null) continue
    const [row] = await session.all(largestStatement(store, table, name), values)
    values[name] = Number(row?.[0] ?? 0) + 1
  }
}

const inserts = new WeakMap<Store, Map<EntityType, Statement>>()

function insertStatement(store: Store, type: EntityType): Statement {
  const known = inserts.get(store) ?? new Map<EntityType, Statement>()
  inserts.set(store, known)
  const statement = known.get(type) ?? compileInsert(store, type)
  known.set(type, statement)
  return statement
}

function compileInsert({ schema, engine }: Store, type: EntityType): Statement {
  const table = schema.tableOf(type)
  const { bind } = engine.dialect
  const columns = insertedColumns(table, type)
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  const values = sql.join(columns.map(({ name, storage }) => bind(new Slot(name), storage)))
  return engine.compile(
    sql`INSERT INTO ${sql.id(table.name)} (${names}) VALUES (${values}) RETURNING ${sql.id(idColumn)}`,
  )
}

function largestStatement({ engine }: Store, table: Table, column: string): Statement {
  const { bind } = engine.dialect
  const beside = table.owners.map(
    ({ name }) => sql`${sql.id(name)} IS NOT DISTINCT FROM ${bind(new Slot(name), 'integer')}`,
  )
  return engine.compile(sql`SELECT max(${sql.id(column)}) FROM ${sql.id(table.name)} WHERE ${allOf(beside)}`)
}
