import { sql } from 'kysely'
import type { AnyHandler, HandlerLookup, Route } from '../../runtime/server/index.js'
import type { CallEndpoint } from '../../spec/language/index.js'
import { allOf, idColumn, type Scope, scopeOf } from '../../sql/index.js'
import { deltaHandler } from './delta-handler.js'
import type { HandlerContext } from './handler-context.js'
import { collectionHandler, countHandler, itemHandler, operationHandler } from './read-handlers.js'
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
 * Handlers for the routes of any service, derived from its spec. Operations without a `meaning` and paths that don't lead to
 * items have no handler; the server core answers 501.
 */
export function genericHandlers(context: HandlerContext): HandlerLookup {
  return route => {
    const scope = scopeOf(route, context.store)
    if (scope === undefined) return undefined
    const handler = handlerFor(route, withinTime(scope, context), context)
    return handler === undefined || context.wrap === undefined ? handler : context.wrap(route, scope, handler)
  }
}

function handlerFor(route: Route, scope: Scope, context: HandlerContext): AnyHandler | undefined {
  if (route.kind !== 'call') return makers[route.kind](route, scope, context)
  const { endpoints } = context.store.service
  const endpoint = endpoints.find((candidate): candidate is CallEndpoint => {
    return candidate.kind === 'call' && candidate.name === route.name
  })
  const meaning = endpoint?.operation.meaning
  if (endpoint === undefined || meaning === undefined || endpoint.operation.binding?.collection === true)
    return undefined
  return operationHandler(route, scope, endpoint, meaning, context)
}

/** The scope with a time limit for the statements that read its items, if the engine needs one in their conditions. */
function withinTime(scope: Scope, { store }: HandlerContext): Scope {
  const limit = store.engine.dialect.withinTime
  if (limit === undefined) return scope
  return { ...scope, where: alias => allOf([scope.where(alias), limit(sql.id(alias, idColumn))]) }
}
