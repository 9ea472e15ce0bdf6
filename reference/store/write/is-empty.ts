import { sql } from 'kysely'
import type { Store } from '../store.js'

/** Whether no item has been stored but singletons, which every store has. */
export function isEmpty({ schema, engine }: Store): Promise<boolean> {
  return engine.read(async session => {
    for (const { name } of schema.tables) {
      const any = sql`SELECT 1 FROM ${sql.id(name)} WHERE ${sql.id('$singleton')} IS NULL LIMIT 1`
      if ((await session.all(engine.compile(any))).length > 0) return false
    }
    return true
  })
}
