import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import { idColumn, type Table } from '../schema/store-schema.js'
import type { Store } from '../store.js'

/**
 * Numbers for `$id`s of rows that are stored next, which nobody else gets.
 *
 * @returns `count` numbers, rising
 */
export async function reserveIds(
  { engine }: Store,
  session: Session,
  table: Table,
  count: number,
): Promise<readonly number[]> {
  if (engine.dialect.name === 'postgres') {
    const sequence = sql`pg_get_serial_sequence(quote_ident(${table.name}::text), ${idColumn}::text)`
    const rows = await session.all(
      engine.compile(sql`SELECT nextval(${sequence}) FROM generate_series(1, ${sql.lit(count)})`),
    )
    return rows.map(([id]) => Number(id))
  }
  // The transaction is the only one that writes.
  const [row] = await session.all(engine.compile(sql`SELECT max(${sql.id(idColumn)}) FROM ${sql.id(table.name)}`))
  const last = Number(row?.[0] ?? 0)
  return Array.from({ length: count }, (_, index) => last + 1 + index)
}
