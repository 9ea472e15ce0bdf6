import { sql } from 'kysely'
import type { EntityType } from '../../../spec/language/index.js'
import type { ItemKey } from '../../entity-record.js'
import type { Session } from '../engine/engine.js'
import { Slot, type SqlValue } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import { allOf } from '../filter/combine.js'
import { typeCondition } from '../filter/compile-path.js'
import { storageOf } from '../schema/storage.js'
import { idColumn, typeColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { encodeValue } from '../value/column-codec.js'

/** An item in which others stand, by the column that tells so. */
export interface Owner {
  readonly column: string
  readonly id: number
}

/**
 * The store's own name for the item of a type with a key. Where several owners have an item with the key, the one with the
 * same owner is meant. Undefined: there is none, or it is not clear which.
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
    // The index of contained items begins with their owner.
    if (!table.owners.some(({ name }) => name === column)) continue
    const [row] = await session.all(findStatement(store, type, column), { ...values, [column]: id })
    if (row !== undefined) return Number(row[0])
  }
  const rows = await session.all(findStatement(store, type), values)
  const [only] = rows
  return rows.length === 1 ? Number(only?.[0]) : undefined
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
    return sql`${sql.id(column.name)} = ${engine.dialect.bind(new Slot(column.name), storageOf(column.type.kind))}`
  })
  if (owner !== '') isKey.push(sql`${sql.id(owner)} = ${engine.dialect.bind(new Slot(owner), 'integer')}`)
  const where = allOf([...isKey, typeCondition(sql`${sql.id(typeColumn)}`, type, table.types)])
  return engine.compile(sql`SELECT ${sql.id(idColumn)} FROM ${sql.id(table.name)} WHERE ${where}`)
}
