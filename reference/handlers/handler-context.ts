import { sql } from 'kysely'
import type { AnyQueryFunction } from '../../runtime/query/index.js'
import type { AnyCall, AnyHandler, Route } from '../../runtime/server/index.js'
import {
  keyPlaceholder,
  literalPlaceholder,
  type nowPlaceholder,
  type PlaceholderValues,
  type principalPlaceholder,
  type Scope,
  type Session,
} from '../../sql/index.js'
import type { WriteTurn } from '../store/engines/write-turns.js'
import type { Store } from '../store/store.js'
import type { TokenSigner } from './continuation-token.js'
import { literalValues } from './query-shape.js'

/** How a service computes the functions that queries can call and that its spec does not define. */
export interface HandledFunctions {
  readonly handlers: Readonly<Record<string, AnyQueryFunction>>
  /** The items for which one request may compute them. */
  readonly items: number
}

export interface HandlerContext {
  readonly store: Store
  readonly signer: TokenSigner
  /** How the service computes the functions that its spec does not define. Undefined: it cannot. */
  readonly handled?: HandledFunctions
  /** Maps the URL of a request, without its query, to the URL that callers know. Default: the URL of the request. */
  readonly publicAddress?: ((url: string) => string) | undefined
  /** Wraps the handler of a route, which has the given scope. */
  readonly wrap?: (route: Route, scope: Scope, handler: AnyHandler) => AnyHandler
}

/** The values that a request binds to the placeholders of its statements. */
export function placeholderValues(
  call: Pick<AnyCall, 'keys' | 'parameters' | 'principal' | 'template'>,
  store: Store,
): PlaceholderValues {
  // Computed property names in an object literal cost more than the rest of this function.
  const values: Record<string, unknown> & Record<typeof principalPlaceholder | typeof nowPlaceholder, unknown> = {
    principal: call.principal.id,
    now: store.now(),
  }
  for (const variable in call.keys) values[keyPlaceholder(variable)] = call.keys[variable]
  for (const name in call.parameters) values[`parameter ${name}`] = call.parameters[name]
  const literals = literalValues(call.template)
  for (let index = 0; index < literals.length; index++) values[literalPlaceholder(index)] = literals[index]
  return values
}

/** Gives the writes of handlers the turns of their callers. */
interface WriteTurns {
  /** The store for the handlers that are wrapped. */
  readonly store: Store
  readonly wrap: (handler: AnyHandler) => AnyHandler
}

/** A handler starts its write before it waits for anything, so that the call is still the one that was noted. */
export function writeTurns(store: Store): WriteTurns {
  let turn: WriteTurn | undefined
  const write: Store['engine']['write'] = work => {
    const own = turn
    turn = undefined
    return store.engine.write(work, own)
  }
  return {
    store: { ...store, engine: { ...store.engine, write } },
    wrap: handler => call => {
      turn = writeTurn(call)
      return handler(call)
    },
  }
}

/** Whose turn a write is, and what it takes of the memory while it waits. */
function writeTurn({ principal, bodyBytes }: Pick<AnyCall, 'principal' | 'bodyBytes'>): WriteTurn {
  return { principal: principal.id, bytes: bodyBytes }
}

/** Whether the parent item of a path exists. True for a path without a parent item. */
type ParentCheck = (session: Session, values: PlaceholderValues) => Promise<boolean>

/** Prepares the check that distinguishes an empty collection from a parent item that does not exist. */
export function parentCheck({ parent }: Scope, { engine }: Store): ParentCheck {
  if (parent === undefined) return async () => true
  const { scope } = parent
  const statement = engine.compile(
    sql`SELECT 1 FROM ${sql.id(scope.table.name)} AS ${sql.id('t')} WHERE ${scope.where('t')}`,
  )
  return async (session, values) => (await session.all(statement, values)).length > 0
}

/** The address that callers know, from the URL of a request; undefined if `publicUrl` is, so that they are the same. */
export function publicAddressOf(publicUrl: string | undefined, root: string): HandlerContext['publicAddress'] {
  return publicUrl === undefined ? undefined : url => publicUrl + new URL(url).pathname.slice(root.length)
}
