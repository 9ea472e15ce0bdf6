import { sql } from 'kysely'
import type { Property } from '../../../spec/language/index.js'
import type { Session, SqlValue } from '../../../sql/index.js'
import { type Column, idColumn, instantOf, storageOf, type Table, typeColumn } from '../../../sql/index.js'
import type { Store } from '../store.js'
import { columnValue } from '../write/item-values.js'
import { updateWordIndex } from '../write/word-index.js'
import { MigrationError } from './migrate.js'
import type { StorePlan, TablePlan } from './plan.js'

/** The number of rows to read at once. */
const batchSize = 1000

/**
 * Backfills existing items after a migration: stamps, defaults and empty lists in new columns, and the words of properties
 * that have become searchable.
 *
 * @throws {MigrationError} if items would lack a required value
 */
export async function backfill(store: Store, after: StorePlan, session: Session): Promise<void> {
  const { before } = store.identity
  if (before === undefined) return
  const known = new Map(before.tables.map(table => [table.name, table]))
  const refusals: string[] = []
  for (const table of store.schema.tables) {
    const old = known.get(table.name)
    if (old === undefined) continue
    for (const column of table.columns) {
      const refusal = await backfillColumn(column, old, table, store, session)
      if (refusal !== undefined) refusals.push(refusal)
    }
    if (refusals.length > 0) continue
    const wordTable = after.tables.find(({ name }) => name === table.words?.name)
    await indexWords(table, wordsOf(known.get(table.words?.name ?? '')), wordsOf(wordTable), store, session)
  }
  if (refusals.length > 0) throw new MigrationError(refusals)
}

/** The conflict of a column; undefined if all items have the required values. */
async function backfillColumn(
  { name, property, type }: Column,
  old: TablePlan,
  table: Table,
  store: Store,
  session: Session,
): Promise<string | undefined> {
  const { bind } = store.engine.dialect
  const types = table.types.filter(each => each.properties.includes(property)).map(each => bind(each.name, 'text'))
  const items = sql`${sql.id(typeColumn)} IN (${sql.join(types)})`
  const before = old.columns.find(column => column.name === name)
  if (before === undefined) {
    const initial = initialOf(property, store)
    if (initial !== null) {
      const value = bind(columnValue(property, initial, table, store), storageOf(type.kind))
      const update = sql`UPDATE ${sql.id(table.name)} SET ${sql.id(name)} = ${value} WHERE ${items}`
      await session.run(store.engine.compile(update))
      return undefined
    }
  }
  const mustHave = property.required && !property.nullable
  if (!mustHave || (before !== undefined && before.nullable !== true)) return undefined
  const empty = sql`SELECT 1 FROM ${sql.id(table.name)} WHERE ${items} AND ${sql.id(name)} IS NULL LIMIT 1`
  if ((await session.all(store.engine.compile(empty))).length === 0) return undefined
  return before === undefined
    ? `${table.name}/${name} is required and has no default, but the store has items.`
    : `${table.name}/${name} is now required, but some items have no value.`
}

/** The initial value for existing items. */
function initialOf(property: Property, store: Store): unknown {
  if (property.stamp !== undefined) return `${instantOf(store.now())}Z`
  return property.default ?? (property.collection ? [] : null)
}

function wordsOf(plan: TablePlan | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(plan?.words ?? {}))
}

/** Rebuilds the word index of columns whose search mode has changed. */
async function indexWords(
  table: Table,
  before: ReadonlyMap<string, string>,
  required: ReadonlyMap<string, string>,
  store: Store,
  session: Session,
): Promise<void> {
  const columns = [...required.keys()].filter(name => before.get(name) !== required.get(name))
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
      await updateWordIndex(store, session, table, Number(id), values, false)
    }
    last = rows.length < batchSize ? undefined : Number(rows.at(-1)?.[0])
  }
}

function textOf(value: unknown): SqlValue {
  return typeof value === 'string' ? value : null
}
