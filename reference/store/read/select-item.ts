import { sql } from 'kysely'
import type { EntityType } from '../../../spec/language/index.js'
import type { Sql } from '../dialect/dialect.js'
import type { Session } from '../engine/engine.js'
import { Slot, type SlotValues } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import { idColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { decoderOf } from '../value/column-codec.js'
import { type RowShape, rowShape, type StoredItem } from './row-shape.js'
import type { Scope } from './scope.js'

/** Reads one item with all its properties. Undefined: there is none. */
export type ItemReader = (session: Session, values: SlotValues) => Promise<StoredItem | undefined>

/** Reads the item of a scope, with values that can be looked into, and keeps others from changing it until the transaction ends. */
export function lockedItemReader(scope: Scope, store: Store): ItemReader {
  const shape = rowShape(scope.table, scope.type, 'all', decoderOf)
  return itemReader(shape, scope, scope.where('t'), store, true)
}

/** Finds the item of a scope, and keeps it from going until the transaction ends. @returns its `$id` */
export function itemFinder(
  scope: Scope,
  { engine }: Store,
): (session: Session, values: SlotValues) => Promise<number | undefined> {
  const from = sql`${sql.id(scope.table.name)} AS ${sql.id('t')} WHERE ${scope.where('t')}`
  const statement = engine.compile(sql`SELECT ${sql.id('t', idColumn)} FROM ${from} ${engine.dialect.forReference}`)
  return async (session, values) => {
    const [row] = await session.all(statement, values)
    return row === undefined ? undefined : Number(row[0])
  }
}

/** Reads an item by the store's own name for it, the value of the slot `$id`. */
export function itemByIdReader(type: EntityType, store: Store): ItemReader {
  const table = store.schema.tableOf(type)
  const shape = rowShape(table, type, 'all')
  const where = sql`${sql.id('t', idColumn)} = ${store.engine.dialect.bind(new Slot(idColumn), 'integer')}`
  return itemReader(shape, { table }, where, store, false)
}

function itemReader(
  shape: RowShape,
  { table }: Pick<Scope, 'table'>,
  where: Sql,
  { engine }: Store,
  lock: boolean,
): ItemReader {
  let statement: Statement | undefined
  return async (session, values) => {
    const from = sql`${sql.id(table.name)} AS ${sql.id('t')}`
    const locked = lock ? engine.dialect.forUpdate : sql``
    statement ??= engine.compile(sql`SELECT ${sql.join(shape.columns('t'))} FROM ${from} WHERE ${where} ${locked}`)
    const [row] = await session.all(statement, values)
    return row === undefined ? undefined : shape.decode(row, 0)
  }
}
