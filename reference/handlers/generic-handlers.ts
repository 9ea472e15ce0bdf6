import { sql } from 'kysely'
import {
  type AnyCall,
  type AnyHandler,
  type DeltaResult,
  type HandlerLookup,
  RequestFault,
  type Route,
} from '../../runtime/server/index.js'
import type { CallEndpoint } from '../../spec/language/index.js'
import { allOf, idColumn, isObject, responseLimits, type Scope, type Session, scopeOf } from '../../sql/index.js'
import { changePlan, deltaRetention } from '../store/read/changes.js'
import { queryHash } from './continuation-token.js'
import { type HandlerContext, parentCheck, placeholderValues } from './handler-context.js'
import { planCache } from './query-shape.js'
import { collectionHandler, countHandler, definitionHandler, itemHandler, operationHandler } from './read-handlers.js'
import { faultOf, runRead } from './request-faults.js'
import { createMediaHandler, deleteStreamHandler, readStreamHandler, replaceStreamHandler } from './stream-handlers.js'
import { createHandler, deleteHandler, updateHandler } from './write-handlers.js'

type Maker = (route: Route, scope: Scope, context: HandlerContext) => AnyHandler

const makers: Readonly<Record<Exclude<Route['kind'], 'call'>, Maker>> = {
  collection: collectionHandler,
  item: itemHandler,
  count: countHandler,
  delta: deltaHandler,
  create: createHandler,
  update: updateHandler,
  replace: updateHandler,
  delete: deleteHandler,
  createMedia: createMediaHandler,
  readStream: readStreamHandler,
  replaceStream: replaceStreamHandler,
  deleteStream: deleteStreamHandler,
}

/**
 * Handlers for the routes of any service, derived from its spec. Operations without a `meaning` or `definition` and paths that
 * don't lead to items have no handler; the server core answers 501.
 */
export function genericHandlers(context: HandlerContext): HandlerLookup {
  return route => {
    const scope = scopeOf(route, context.store)
    const limited = scope === undefined ? undefined : withinTime(scope, context)
    if (route.kind === 'call') {
      const handler = callHandler(route, limited, context)
      return handler === undefined || scope === undefined || context.wrap === undefined
        ? handler
        : context.wrap(route, scope, handler)
    }
    if (scope === undefined || limited === undefined) return undefined
    const handler = makers[route.kind](route, limited, context)
    return context.wrap === undefined ? handler : context.wrap(route, scope, handler)
  }
}

function callHandler(route: Route, scope: Scope | undefined, context: HandlerContext): AnyHandler | undefined {
  const { endpoints } = context.store.service
  const endpoint = endpoints.find((candidate): candidate is CallEndpoint => {
    return candidate.kind === 'call' && candidate.name === route.name
  })
  const { meaning, definition, binding } = endpoint?.operation ?? {}
  if (endpoint === undefined || binding?.collection === true) return undefined
  if (definition !== undefined && (scope !== undefined || binding === undefined))
    return definitionHandler(scope, definition, endpoint.operation, context)
  return meaning === undefined || scope === undefined
    ? undefined
    : operationHandler(route, scope, endpoint, meaning, context)
}

/** The scope with a time limit for the statements that read its items, if the engine needs one in their conditions. */
function withinTime(scope: Scope, { store }: HandlerContext): Scope {
  const limit = store.engine.dialect.withinTime
  if (limit === undefined) return scope
  return { ...scope, where: alias => allOf([scope.where(alias), limit(sql.id(alias, idColumn))]) }
}

type Entity = Readonly<Record<string, unknown>>

/** The page size of endpoints that define none. */
const defaultPageSize = 100

/** One round of changes: those after `since` up to `until`. Those up to `position` are on earlier pages. */
interface Round {
  readonly since: number
  readonly until: number
  readonly position: number
  /** When the round began, in milliseconds since 1970. */
  readonly startedAt: number
}

/**
 * Answers with the changes since a delta link was issued, or with all items if there is no link. A round ends at the last
 * change that was visible when the round began; later changes are part of the next round.
 */
export function deltaHandler(
  _route: Route,
  scope: Scope,
  { store, signer, publicAddress }: HandlerContext,
): AnyHandler {
  const planOf = planCache(options => changePlan(scope, options, store))
  const hasParent = parentCheck(scope, store)
  const bytes = responseLimits(store.table).responseBytes

  const roundOf = (call: AnyCall, latest: number): Round => {
    const now = store.now().getTime()
    const { skiptoken, deltatoken } = call.query
    if (skiptoken !== undefined) return roundOfToken(skiptoken, '$skiptoken', call)
    if (deltatoken === undefined) return { since: 0, until: latest, position: 0, startedAt: now }
    if (deltatoken === 'latest') return { since: latest, until: latest, position: latest, startedAt: now }
    const last = roundOfToken(deltatoken, '$deltatoken', call)
    return { since: last.until, until: latest, position: last.until, startedAt: now }
  }
  const roundOfToken = (token: string, option: string, call: AnyCall): Round => {
    const found = signer.verify(token)
    if (found === 'foreign') throw expired(call)
    const content = found === 'malformed' ? undefined : found.content
    if (!isObject(content) || content['option'] !== option)
      throw malformedToken(option, `This service did not issue the ${option}.`)
    if (content['q'] !== queryHash(call))
      throw malformedToken(option, `The ${option} belongs to another query. Follow the link unchanged.`)
    const [since = 0, until = 0, position = 0, startedAt = 0] = ['since', 'until', 'position', 'startedAt'].map(name =>
      Number(content[name]),
    )
    if (![since, until, position, startedAt].every(Number.isSafeInteger))
      throw malformedToken(option, `This service did not issue the ${option}.`)
    if (store.now().getTime() - startedAt > deltaRetention) throw expired(call)
    return { since, until, position, startedAt }
  }
  const expired = (call: AnyCall): Error => {
    const [address = ''] = call.request.url.split('?', 1)
    const location = publicAddress?.(address) ?? address
    const reason = 'Start again without a token.'
    return faultOf('expiredToken', call, store.table, { headers: { location }, values: { reason } })
  }
  const signedToken = (round: Round, option: string, call: AnyCall): string =>
    signer.sign({ q: queryHash(call), option, ...round })

  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    const size = call.pageSize ?? defaultPageSize
    const read = async (session: Session): Promise<DeltaResult<Entity>> => {
      const round = roundOf(call, await plan.latest(session))
      const range = { after: round.position, until: round.until, limit: size + 1, bytes, removals: round.since > 0 }
      const { found: changes, isCut } = await plan.changes(session, values, range)
      const isEmpty = changes.length === 0 && round.position === 0
      if (isEmpty && !(await hasParent(session, values))) throw faultOf('itemNotFound', call, store.table)
      const page = changes.slice(0, size)
      const value = page.map(change => change.entity)
      const position = page.at(-1)?.version
      return (isCut || changes.length > page.length) && position !== undefined
        ? { value, skipToken: signedToken({ ...round, position }, '$skiptoken', call) }
        : { value, deltaToken: signedToken(round, '$deltatoken', call) }
    }
    // A replica can show a write a moment before the primary does, and a round must not begin before the last one ended.
    return runRead(store, read, 'primary')
  }
}

function malformedToken(option: string, reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', { target: option, values: { option, reason } })
}
