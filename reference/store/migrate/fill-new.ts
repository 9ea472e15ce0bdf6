import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import type { SqlValue } from '../engine/sql-value.js'
import { storageOf } from '../schema/storage.js'
import { idColumn, type Table, typeColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { columnValue } from '../write/item-values.js'
import { writeWords } from '../write/write-words.js'
import type { StorePlan, TablePlan } from './table-plan.js'

/** Rows that are read at once. */
const batchSize = 1000

/**
 * Gives the items that were there before a migration what new ones get by themselves: defaults and empty lists in new
 * columns, and the words of properties that are searched since.
 */
export async function fillNew(store: Store, after: StorePlan): Promise<void> {
  const { before } = store.identity
  if (before === undefined) return
  const known = new Map(before.tables.map(table => [table.name, table]))
  await store.engine.maintain(async session => {
    for (const table of store.schema.tables) {
      const old = known.get(table.name)
      if (old === undefined) continue
      await fillColumns(table, old, store, session)
      const wanted = after.tables.find(({ name }) => name === table.words?.name)
      await indexWords(table, wordsOf(known.get(table.words?.name ?? '')), wordsOf(wanted), store, session)
    }
  })
}

async function fillColumns(table: Table, old: TablePlan, store: Store, session: Session): Promise<void> {
  const { bind } = store.engine.dialect
  for (const { name, property, type } of table.columns) {
    if (old.columns.some(column => column.name === name)) continue
    const initial = property.default ?? (property.collection ? [] : null)
    if (initial === null) continue
    const types = table.types.filter(each => each.properties.includes(property)).map(each => bind(each.name, 'text'))
    const value = bind(columnValue(property, initial, table, store), storageOf(type.kind))
    const update = sql`UPDATE ${sql.id(table.name)} SET ${sql.id(name)} = ${value} WHERE ${sql.id(typeColumn)} IN (${sql.join(types)})`
    await session.run(store.engine.compile(update))
  }
}

function wordsOf(plan: TablePlan | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(plan?.words ?? {}))
}

/** Reads the texts of columns that are searched in another way than before, and keeps their words anew. */
async function indexWords(
  table: Table,
  before: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  store: Store,
  session: Session,
): Promise<void> {
  const columns = [...wanted.keys()].filter(name => before.get(name) !== wanted.get(name))
  const { bind } = store.engine.dialect
  const selected = sql.join([idColumn, ...columns].map(name => sql`${sql.id(name)}`))
  for (let last: number | undefined = columns.length === 0 ? undefined : 0; last !== undefined; ) {
    const rows = await session.all(
      store.engine.compile(
        sql`SELECT ${selected} FROM ${sql.id(table.name)} WHERE ${sql.id(idColumn)} > ${bind(last, 'integer')}
          ORDER BY ${sql.id(idColumn)} LIMIT ${sql.lit(batchSize)}`,
      ),
    )
    for (const [id, ...texts] of rows) {
      const values = Object.fromEntries(columns.map((name, index) => [name, textOf(texts[index])]))
      await writeWords(store, session, table, Number(id), values, false)
    }
    last = rows.length < batchSize ? undefined : Number(rows.at(-1)?.[0])
  }
}

function textOf(value: unknown): SqlValue {
  return typeof value === 'string' ? value : null
}
