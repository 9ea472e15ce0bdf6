import { sql } from 'kysely'
import type { AnyCall } from '../../runtime/server/index.js'
import type { PlaceholderValues, Session } from '../store/engines/engine.js'
import { literalPlaceholder } from '../store/filter/frame.js'
import type { nowPlaceholder } from '../store/filter/functions.js'
import { keyPlaceholder, type principalPlaceholder, type Scope } from '../store/read/scope.js'
import type { Store } from '../store/store.js'
import type { TokenSigner } from './continuation-token.js'
import { literalValues } from './plan-cache.js'

/** What generic handlers work with. */
export interface HandlerContext {
  readonly store: Store
  readonly signer: TokenSigner
  /** The address of a request, without its query, as callers know it. Default: as it came in. */
  readonly publicAddress?: (url: string) => string
}

/** What a request gives to the statements that answer it. */
export function placeholderValues(
  call: Pick<AnyCall, 'keys' | 'parameters' | 'principal' | 'template'>,
  store: Store,
): PlaceholderValues {
  // Spelt out, since names that are computed in a literal cost more than all that follows.
  const values: Record<string, unknown> & Record<typeof principalPlaceholder | typeof nowPlaceholder, unknown> = {
    principal: call.principal.id,
    now: store.now(),
  }
  for (const variable in call.keys) values[keyPlaceholder(variable)] = call.keys[variable]
  for (const name in call.parameters) values[`parameter ${name}`] = call.parameters[name]
  const moving = literalValues(call.template)
  for (let index = 0; index < moving.length; index++) values[literalPlaceholder(index)] = moving[index]
  return values
}

/** Whether the item that a path leads through is there. A path that leads through none always is. */
type ParentCheck = (session: Session, values: PlaceholderValues) => Promise<boolean>

/** Prepares the question whether an empty answer is one, or comes from an item that is not there. */
export function parentCheck({ parent }: Scope, { engine }: Store): ParentCheck {
  if (parent === undefined) return async () => true
  const { scope } = parent
  const statement = engine.compile(
    sql`SELECT 1 FROM ${sql.id(scope.table.name)} AS ${sql.id('t')} WHERE ${scope.where('t')}`,
  )
  return async (session, values) => (await session.all(statement, values)).length > 0
}
