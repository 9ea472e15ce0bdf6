import type { Condition, QueryOptions } from '../query/index.js'
import { requireScopes } from './authentication.js'
import { type Input, readInput } from './body/input.js'
import { Failure, type FailureDetails, RequestFault } from './errors.js'
import { type CompiledRoute, type Exchange, keyTexts } from './exchange.js'
import type { AnyCall, Principal } from './handler.js'
import { negotiate } from './http/content-negotiation.js'
import type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'
import { type Precondition, readPrecondition, unconditional } from './http/preconditions.js'
import { type PreferenceValues, readPreferences } from './http/preferences.js'
import type { QueryPlan, QueryTemplate } from './planning/query-plan.js'
import { emptyResponse, requireSupportedVersion } from './response/json-response.js'
import {
  callResponse,
  countResponse,
  createdResponse,
  deltaResponse,
  itemResponse,
  listResponse,
  updatedResponse,
} from './response/responses.js'
import { readKeys } from './routing/keys.js'
import type { PathMatch } from './routing/router.js'
import type { Route, RouteKind, ServiceTable } from './service-table.js'

/** A request that has been routed. */
interface RoutedRequest {
  readonly request: ServerRequest
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
): Promise<ServerResponse> {
  const { request: incoming, compiled, match, query, principal } = routed
  const { route, handler } = compiled
  const { head } = incoming
  requireScopes(principal, route, table)
  if (handler === undefined) throw new RequestFault('notImplemented', { values: { operation: route.name } })
  requireSupportedVersion(head)
  const plan = compiled.plan(query)
  const representation = representationFor(route, plan, head)
  requireConditions(plan.conditions, head)
  const exchange: Exchange = {
    table,
    request: incoming,
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

const responses: Readonly<Record<RouteKind, (exchange: Exchange, result: unknown) => ServerResponse>> = {
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

/**
 * What a handler is given of one exchange. A class for the sake of `signal`, which is made only when a handler asks for
 * it: a getter in an object literal gives each call a hidden class of its own, which costs more than all the rest.
 */
class HandlerCall implements AnyCall {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  readonly template: QueryTemplate
  readonly pageSize: number | undefined
  readonly limit: number | undefined
  readonly body: unknown
  readonly precondition: Precondition
  readonly prefer: PreferenceValues
  readonly principal: Principal
  readonly context: unknown
  readonly request: RequestHead
  /** Handlers take these two out of the call. */
  readonly fail: AnyCall['fail']
  readonly notImplemented: AnyCall['notImplemented']

  constructor(exchange: Exchange, input: Input, context: unknown) {
    const { compiled, keys, plan } = exchange
    this.route = compiled.route
    this.keys = keys
    this.parameters = input.parameters
    this.query = plan.options
    this.template = plan.template
    this.pageSize = pageSizeOf(exchange)
    this.limit = topMeansTotal(exchange) ? plan.options.top : undefined
    this.body = input.body
    this.precondition = exchange.precondition
    this.prefer = exchange.preferences.values
    this.principal = exchange.principal
    this.context = context
    this.request = exchange.request.head
    this.fail = (error: string, given: FailureDetails = {}): never => {
      throw new Failure(error, { ...given, values: { ...keyTexts(keys), ...given.values } })
    }
    this.notImplemented = (): never => {
      throw new RequestFault('notImplemented', { values: { operation: compiled.route.name } })
    }
  }

  get signal(): AbortSignal {
    return this.request.signal
  }
}

/** How long a page may be: `$top` where it means a page, else its default, within its maximum and the caller's wish. */
function pageSizeOf(exchange: Exchange): number | undefined {
  const { compiled, plan, preferences } = exchange
  const top = compiled.route.query?.top
  if (top === undefined) return undefined
  const asked = topMeansTotal(exchange) ? undefined : plan.options.top
  const sizes = [asked ?? top.default, top.max, preferences.maxPageSize].filter(size => size !== undefined)
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

/** Where the spec is silent, too. @see OData Protocol 4.01, 11.2.6.3 */
function topMeansTotal({ table }: Exchange): boolean {
  return table.choices['topMeaning'] !== 'pageSize'
}

/** Refuses a query that needs a header which the request lacks, with the error that the spec names for it. */
function requireConditions(conditions: readonly Condition[], { headers }: RequestHead): void {
  for (const { header, otherwise } of conditions) {
    if (headers.get(header.name)?.trim().toLowerCase() === header.value.toLowerCase()) continue
    throw new Failure(otherwise, { values: { header: header.name, value: header.value } })
  }
}
