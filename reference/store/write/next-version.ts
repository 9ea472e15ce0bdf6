import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import { oncePerStore } from '../once-per-store.js'
import type { Table } from '../schema/store-schema.js'
import type { Store } from '../store.js'

/**
 * Numbers the next change of a table: what entity tags are made from, and what those who follow changes ask for. A number
 * is handed out until its transaction ends, so that no smaller one can become visible later.
 */
export async function nextVersion(store: Store, session: Session, table: Table): Promise<number> {
  const [row] = await session.all(countUp(store), { table: table.name })
  return Number(row?.[0])
}

const countUp = oncePerStore(({ engine, slot }) => {
  const name = slot('table', 'text')
  return engine.compile(
    sql`INSERT INTO ${sql.id('$change')} ("table", last) VALUES (${name}, 1)
      ON CONFLICT ("table") DO UPDATE SET last = ${sql.id('$change', 'last')} + 1 RETURNING last`,
  )
})
