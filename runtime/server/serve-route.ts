import type { CompiledRoute } from './compiled-route.js'
import type { Exchange } from './exchange.js'
import { HandlerCall } from './handler-call.js'
import { negotiate } from './http/accept.js'
import type { Incoming } from './incoming.js'
import type { Outgoing } from './outgoing.js'
import { readKeys } from './path/read-keys.js'
import type { PathMatch } from './path/router.js'
import { type Precondition, readPrecondition, unconditional } from './precondition.js'
import { readPreferences } from './preferences.js'
import type { Principal } from './principal.js'
import type { QueryPlan } from './query/query-plan.js'
import { readInput } from './read-input.js'
import { RequestFault } from './request-fault.js'
import type { RequestHead } from './request-head.js'
import { requireConditions } from './require-conditions.js'
import { requireScopes } from './require-scopes.js'
import { callResponse } from './response/call-response.js'
import { emptyResponse } from './response/json-response.js'
import { countResponse, deltaResponse, itemResponse, listResponse } from './response/read-response.js'
import { createdResponse, updatedResponse } from './response/write-response.js'
import type { Route, RouteKind, ServiceTable } from './service-table.js'
import { requireVersion } from './standard-headers.js'

/** A request that has been routed. */
export interface RoutedRequest {
  readonly incoming: Incoming
  readonly compiled: CompiledRoute
  readonly match: PathMatch<CompiledRoute>
  readonly path: string
  readonly query: string
  readonly principal: Principal
  readonly serviceUrl: string
  readonly headers: Readonly<Record<string, string>>
}

/** Checks a routed request, asks the handler, and shapes its answer. Throws `Failure` or `RequestFault` to refuse. */
export async function serveRoute(
  routed: RoutedRequest,
  table: ServiceTable,
  contextOf: (head: RequestHead, principal: Principal) => unknown,
): Promise<Outgoing> {
  const { incoming, compiled, match, query, principal } = routed
  const { route, handler } = compiled
  const { head } = incoming
  requireScopes(principal, route, table)
  if (handler === undefined) throw new RequestFault('notImplemented', { values: { operation: route.name } })
  requireVersion(head)
  const plan = compiled.plan(query)
  const representation = representationFor(route, plan, head)
  requireConditions(plan.conditions, head)
  const exchange: Exchange = {
    table,
    incoming,
    compiled,
    principal,
    serviceUrl: routed.serviceUrl,
    path: routed.path,
    keys: readKeys(match.keys, compiled.variables, table.types),
    plan,
    preferences: readPreferences(head.headers.get('prefer'), compiled.preferences),
    precondition: preconditionFor(route, head),
    representation,
    headers: routed.headers,
  }
  const reading = readInput(route, incoming, match.arguments, plan, table)
  const input = reading instanceof Promise ? await reading : reading
  const made = contextOf(head, principal)
  const context = made instanceof Promise ? await made : made
  return responses[route.kind](exchange, await handler(new HandlerCall(exchange, input, context)))
}

const responses: Readonly<Record<RouteKind, (exchange: Exchange, result: unknown) => Outgoing>> = {
  collection: listResponse,
  item: itemResponse,
  count: countResponse,
  delta: deltaResponse,
  create: createdResponse,
  update: updatedResponse,
  replace: updatedResponse,
  delete: exchange => emptyResponse(exchange, exchange.compiled.route.status),
  call: callResponse,
}

function representationFor(route: Route, plan: QueryPlan, head: RequestHead): Exchange['representation'] {
  if (plan.format !== undefined) return { type: 'json', metadata: plan.format }
  const representation = negotiate(head.headers.get('accept'), route.kind === 'count' ? 'text' : 'json')
  if (representation !== undefined) return representation
  throw new RequestFault('notAcceptable', { values: { reason: 'Accept application/json.' } })
}

/** @see RFC 9110, 13; RFC 6585, 3 (428) */
function preconditionFor(route: Route, { headers }: RequestHead): Precondition {
  if (route.kind !== 'item' && !isChange(route.kind)) return unconditional
  const ifMatch = headers.get('if-match')
  const ifNoneMatch = headers.get('if-none-match')
  const precondition = readPrecondition(ifMatch, ifNoneMatch)
  if (precondition === undefined) {
    const header = ifMatch === null ? 'If-None-Match' : 'If-Match'
    throw new RequestFault('malformedEntityTag', {
      target: header,
      values: { reason: `${header} must be * or a list of entity tags, such as W/"1".` },
    })
  }
  if (!isChange(route.kind))
    return route.ifNoneMatch === 'none' ? { ...precondition, ifNoneMatch: undefined } : precondition
  if (route.ifMatch === 'required' && ifMatch === null) throw new RequestFault('preconditionRequired')
  if (route.ifMatch === undefined || route.ifMatch === 'none') return withoutTags(precondition)
  return precondition
}

/** Items that have no tags match none: a condition on one cannot hold, and may not be passed over. */
function withoutTags(precondition: Precondition): Precondition {
  if (precondition.ifMatch === undefined || precondition.ifMatch === '*') return unconditional
  throw new RequestFault('preconditionFailed', { values: { reason: 'Items of this kind have no entity tags.' } })
}

function isChange(kind: RouteKind): boolean {
  return kind === 'update' || kind === 'replace' || kind === 'delete'
}
