import { sql } from 'kysely'
import type { Engine, Session } from '../engine/engine.js'

/** A number that no other program has a reason to lock. */
const makingLock = 7_361_909_285_113

/** Of several processes that start at once, one makes the tables. An embedded engine has one writer anyway. */
export async function lockMaking({ dialect, compile }: Engine, session: Session): Promise<void> {
  if (dialect.name !== 'postgres') return
  await session.run(compile(sql`SELECT pg_advisory_xact_lock(${sql.lit(makingLock)})`))
}
