import { sql } from 'kysely'
import type { Session } from '../store/engine/engine.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import type { Scope } from '../store/read/scope.js'
import type { Store } from '../store/store.js'

/** Whether the item that a path leads through is there. A path that leads through none always is. */
export type ParentCheck = (session: Session, values: SlotValues) => Promise<boolean>

/** Prepares the question whether an empty answer is one, or comes from an item that is not there. */
export function parentCheck({ parent }: Scope, { engine }: Store): ParentCheck {
  if (parent === undefined) return async () => true
  const { scope } = parent
  const statement = engine.compile(
    sql`SELECT 1 FROM ${sql.id(scope.table.name)} AS ${sql.id('t')} WHERE ${scope.where('t')}`,
  )
  return async (session, values) => (await session.all(statement, values)).length > 0
}
