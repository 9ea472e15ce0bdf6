import type { Condition, QueryOptions } from '../query/index.js'
import { type Input, readInput } from './body/input.js'
import { Failure, type FailureDetails, RequestFault } from './errors.js'
import { type CompiledRoute, type Exchange, isPaged, keyTexts } from './exchange.js'
import type { AnyCall, FindRelatedList, Principal } from './handler.js'
import { chooseRepresentation } from './http/content-negotiation.js'
import type { RequestHead, ServerResponse } from './http/message.js'
import { type Precondition, preconditionFor } from './http/preconditions.js'
import { type PreferenceValues, readPreferences } from './http/preferences.js'
import { noteQueryFunctions, noteSearchedProperties } from './list-rows.js'
import type { QueryTemplate } from './planning/related-scopes.js'
import { responseFor } from './response/responses.js'
import { type PathMatch, type ResolveReference, readKeys } from './routing/router.js'
import type { Authenticate } from './service-options.js'
import type { Route, ServiceTable } from './service-table.js'

export interface RoutedRequest
  extends Pick<Exchange, 'request' | 'compiled' | 'principal' | 'serviceUrl' | 'path' | 'headers'> {
  readonly match: PathMatch<CompiledRoute>
  readonly query: string
  /** Undefined: requests cannot name other items. */
  readonly references?: ResolveReference | undefined
  readonly relatedList: FindRelatedList
  /** Default: undefined. */
  readonly replacedValue?: string | undefined
}

/** Serves a routed request with the table and the hooks of a service. */
export type ServeRoute = (routed: RoutedRequest) => Promise<ServerResponse>

/**
 * Checks a routed request, calls the handler and builds the response. Throws a `Failure` or `RequestFault` to reject
 * it.
 */
export async function serveRoute(
  routed: RoutedRequest,
  table: ServiceTable,
  contextOf: (head: RequestHead, principal: Principal) => unknown,
): Promise<ServerResponse> {
  const { request, compiled, match, query, principal } = routed
  const { route, handler } = compiled
  const { head } = request
  requireScopes(principal, route.scopes, table)
  if (handler === undefined) throw new RequestFault('notImplemented', { values: { operation: route.name } })
  const plan = compiled.plan(query)
  for (const scopes of plan.scopes) requireScopes(principal, scopes, table)
  const representation = chooseRepresentation(route.kind, plan.format, head.headers.get('accept'))
  requireConditions(plan.conditions, head)
  const exchange: Exchange = {
    table,
    request,
    compiled,
    principal,
    serviceUrl: routed.serviceUrl,
    path: routed.path,
    keys: readKeys(match.keys, compiled.variables, table),
    plan,
    preferences: readPreferences(head.headers.get('prefer'), compiled.preferences),
    precondition: preconditionFor(route, head, table.features?.includes('upsert')),
    representation,
    headers: routed.headers,
  }
  const reading = readInput(route, request, match.arguments, plan, table, {
    references: routed.references,
    requireScopes: scopes => requireScopes(principal, scopes, table),
  })
  const input = reading instanceof Promise ? await reading : reading
  const created = (request.context ?? contextOf)(head, principal)
  const context = created instanceof Promise ? await created : created
  return responseFor(exchange, await handler(new HandlerCall(exchange, input, context, routed)))
}

/**
 * The argument of a handler. It is a class because `signal` is created on demand: V8 gives each object literal with a
 * getter its own hidden class, which costs more than everything else here.
 */
class HandlerCall implements AnyCall {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  readonly template: QueryTemplate
  readonly pageSize: number | undefined
  readonly limit: number | undefined
  readonly bodyBytes: number
  readonly bodyAs: AnyCall['bodyAs']
  readonly precondition: Precondition
  readonly prefer: PreferenceValues
  readonly principal: Principal
  readonly context: unknown
  readonly request: RequestHead
  private readonly input: Input
  /** Handlers destructure these two, so they are functions, not methods. */
  readonly fail: AnyCall['fail']
  readonly notImplemented: AnyCall['notImplemented']

  readonly reference: AnyCall['reference']
  readonly newItem: AnyCall['newItem']
  readonly path: string
  readonly relatedList: FindRelatedList
  readonly replacedValue: string | undefined

  constructor(
    exchange: Exchange,
    input: Input,
    context: unknown,
    {
      references = () => undefined,
      relatedList,
      replacedValue,
    }: Pick<RoutedRequest, 'references' | 'relatedList' | 'replacedValue'>,
  ) {
    const { compiled, keys, plan } = exchange
    this.route = compiled.route
    this.keys = keys
    this.parameters = input.parameters
    this.query = plan.options
    this.template = plan.template
    const searched = compiled.route.query?.search.properties
    if (plan.options.search !== undefined && searched !== undefined) noteSearchedProperties(plan.options, searched)
    if (compiled.functions !== undefined) noteQueryFunctions(plan.options, compiled.functions)
    this.pageSize = pageSizeOf(exchange)
    this.limit = topMeansTotal(exchange) ? plan.options.top : undefined
    this.input = input
    this.reference = references
    this.path = exchange.path
    this.relatedList = relatedList
    this.replacedValue = replacedValue
    const { newItem } = input
    this.newItem = newItem === undefined ? undefined : () => newItem(keyByProperty(compiled.route, keys))
    this.bodyBytes = input.bytes
    this.bodyAs = input.bodyAs
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

  get body(): unknown {
    return this.input.body()
  }

  get signal(): AbortSignal {
    return this.request.signal
  }
}

/** The key or alternate key in the path of an item, by the names of its properties. */
function keyByProperty(
  { segments }: Route,
  keys: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const last = segments.at(-1)
  if (last?.kind !== 'key' && last?.kind !== 'alternateKey') return {}
  return Object.fromEntries(last.keys.map(({ property, variable }) => [property, keys[variable]]))
}

/** The page size: `$top` if it means the page size, else its default, limited by its maximum and `maxpagesize`. */
function pageSizeOf(exchange: Exchange): number | undefined {
  const { compiled, plan, preferences } = exchange
  if (!isPaged(compiled.route)) return undefined
  const top = compiled.route.query?.top
  const requested = topMeansTotal(exchange) ? undefined : plan.options.top
  const sizes = [requested ?? top?.default, top?.max, preferences.maxPageSize].filter(size => size !== undefined)
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

/** `$top` limits the whole result by default. @see OData Protocol 4.01, 11.2.6.3 */
function topMeansTotal({ table }: Exchange): boolean {
  return table.choices['topMeaning'] !== 'pageSize'
}

/** Rejects a query without a header that it requires, with the error that the spec declares. */
export function requireConditions(conditions: readonly Condition[], { headers }: RequestHead): void {
  for (const { header, otherwise } of conditions) {
    if (headers.get(header.name)?.trim().toLowerCase() === header.value.toLowerCase()) continue
    throw new Failure(otherwise, { values: { header: header.name, value: header.value } })
  }
}

const anonymousPrincipal: Principal = { id: '', scopes: [] }

/** Returns the function that identifies the caller. It returns a promise only if the hook does. */
export function authenticator(
  table: ServiceTable,
  authenticate: Authenticate | undefined,
): (head: RequestHead) => Principal | Promise<Principal> {
  const { scheme, missing } = table.authentication
  if (scheme === 'none') {
    const known = (principal: Principal | undefined): Principal => principal ?? anonymousPrincipal
    return head => whenResolved(authenticate?.(head), known)
  }
  if (authenticate === undefined) {
    throw new TypeError(
      `The service ${table.name} needs the option authenticate: a function that identifies the caller.`,
    )
  }
  if (missing === undefined) throw new TypeError(`The spec of ${table.name} lacks authentication.missing.`)
  return head =>
    whenResolved(authenticate(head), principal => {
      if (principal === undefined)
        throw new Failure(missing, { headers: { 'www-authenticate': challenge(table, head) } })
      return principal
    })
}

function whenResolved<In, Out>(value: In | Promise<In>, then: (value: In) => Out): Out | Promise<Out> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** @see RFC 6750, 3 */
function challenge(table: ServiceTable, head: RequestHead): string {
  const realm = `Bearer realm="${table.name}"`
  return head.headers.get('authorization') === null ? realm : `${realm}, error="invalid_token"`
}

/**
 * Rejects a caller whose credential has none of the scopes, if there are any.
 *
 * @see RFC 6750, 3.1 (insufficient_scope)
 */
export function requireScopes(principal: Principal, scopes: readonly string[], table: ServiceTable): void {
  if (table.authentication.scheme === 'none' || scopes.length === 0) return
  if (scopes.some(scope => principal.scopes.includes(scope))) return
  const challenge = `Bearer realm="${table.name}", error="insufficient_scope", scope="${scopes.join(' ')}"`
  const given = { headers: { 'www-authenticate': challenge }, values: { scopes: scopes.join(' ') } }
  const error = table.authentication.insufficient
  throw error === undefined ? new RequestFault('pathNotFound', given) : new Failure(error, given)
}
