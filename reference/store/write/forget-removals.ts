import { sql } from 'kysely'
import { deltaRetention } from '../read/delta-retention.js'
import type { Store } from '../store.js'

/** Forgets items that were removed so long ago that no link that can still be followed would tell of them. */
export async function forgetRemovals({ engine, now }: Store): Promise<void> {
  const before = new Date(now().getTime() - deltaRetention).toISOString()
  const old = sql`DELETE FROM ${sql.id('$removed')} WHERE at < ${engine.dialect.bind(before, 'text')}`
  await engine.maintain(async session => session.run(engine.compile(old)))
}
