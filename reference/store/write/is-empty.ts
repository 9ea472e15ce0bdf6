import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import type { Store } from '../store.js'

/** Whether no item has been stored but singletons, which every store has. */
export function isEmpty(store: Store): Promise<boolean> {
  return store.engine.read(session => seesNothing(store, session))
}

/** The same as a transaction sees it. */
export async function seesNothing({ schema, engine }: Store, session: Session): Promise<boolean> {
  for (const { name } of schema.tables) {
    const any = sql`SELECT 1 FROM ${sql.id(name)} WHERE ${sql.id('$singleton')} IS NULL LIMIT 1`
    if ((await session.all(engine.compile(any))).length > 0) return false
  }
  return true
}
