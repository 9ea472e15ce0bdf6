import type { AnyHandler, HandlerLookup, Route } from '../../runtime/server/index.js'
import type { CallEndpoint } from '../../spec/language/index.js'
import { type Scope, scopeOf } from '../../sql/index.js'
import { deltaHandler } from './delta-handler.js'
import type { HandlerContext } from './handler-context.js'
import { collectionHandler, countHandler, itemHandler, operationHandler } from './read-handlers.js'
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
}

/**
 * Handlers for the routes of any service, derived from its spec. Operations without a `meaning` and paths that don't lead to
 * items have no handler; the server core answers 501.
 */
export function genericHandlers(context: HandlerContext): HandlerLookup {
  const { endpoints } = context.store.service
  return route => {
    const scope = scopeOf(route, context.store)
    if (scope === undefined) return undefined
    if (route.kind !== 'call') return makers[route.kind](route, scope, context)
    const endpoint = endpoints.find((candidate): candidate is CallEndpoint => {
      return candidate.kind === 'call' && candidate.name === route.name
    })
    const meaning = endpoint?.operation.meaning
    if (endpoint === undefined || meaning === undefined || endpoint.operation.binding?.collection === true)
      return undefined
    return operationHandler(route, scope, endpoint, meaning, context)
  }
}
