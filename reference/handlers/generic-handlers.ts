import { sql } from 'kysely'
import type { AnyHandler, HandlerLookup, Route } from '../../runtime/server/index.js'
import type { CallEndpoint } from '../../spec/language/index.js'
import { allOf, idColumn, type Scope, scopeOf } from '../../sql/index.js'
import { deltaHandler } from './delta-handler.js'
import type { HandlerContext } from './handler-context.js'
import { collectionHandler, countHandler, definitionHandler, itemHandler, operationHandler } from './read-handlers.js'
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
