import { authenticator } from './authentication.js'
import { RequestFault } from './errors.js'
import { type CompiledRoute, compileRoute } from './exchange.js'
import type { HandlerLookup } from './handler.js'
import { isSendable, type ServerRequest, type ServerResponse } from './http/message.js'
import { responseForError } from './response/error-response.js'
import { standardHeaders } from './response/json-response.js'
import { splitPath, splitTarget } from './routing/path.js'
import { createRouter, type Router } from './routing/router.js'
import { serveRoute } from './serve-route.js'
import type { ExtraCall, ExtraRoute, ServiceOptions } from './service-options.js'
import { type ServiceTable, validateServiceTable } from './service-table.js'
import { fromWebRequest, toWebResponse } from './web-adapter.js'

/** A running service: takes a request, gives a response, never throws. */
export interface Service {
  (request: Request): Promise<Response>
  /** The same without `Request` and `Response`, for servers that do not speak them. */
  readonly handle: (incoming: ServerRequest) => Promise<ServerResponse>
}

/**
 * Runs a service: routes each request, checks it against the table, asks its handler, and shapes the answer.
 *
 * @param handlerOf finds the handler of each route, once, now
 * @throws {TypeError} when the table contradicts itself or `authenticate` is missing
 */
export function createService<Context>(
  table: ServiceTable,
  handlerOf: HandlerLookup,
  options: ServiceOptions<Context> = {},
): Service {
  validateServiceTable(table)
  const router = compileRoutes(table, handlerOf)
  const authenticate = authenticator(table, options.authenticate)
  const extras = extrasByPath(options.extraRoutes ?? [])
  const root = options.root ?? `/${table.version}`
  const contextOf = options.context ?? ((): unknown => undefined)

  const handle = async (incoming: ServerRequest): Promise<ServerResponse> => {
    const headers = standardHeaders(incoming.head)
    const refuse = (error: unknown): ServerResponse =>
      responseForError(error, table, headers, unexpected => options.onError?.(unexpected, incoming.head))
    let outgoing: ServerResponse
    try {
      outgoing = await serve(incoming, headers)
    } catch (error) {
      outgoing = refuse(error)
    }
    return isSendable(outgoing, headers)
      ? outgoing
      : refuse(new TypeError('A handler gave a header or status that cannot be sent.'))
  }

  const serve = async (incoming: ServerRequest, headers: Record<string, string>): Promise<ServerResponse> => {
    const { head, target } = incoming
    if (target.length > table.limits.url) {
      throw new RequestFault('uriTooLong', { values: { limit: table.limits.url } })
    }
    const { path, query } = splitTarget(target)
    const serviceUrl = options.publicUrl ?? incoming.origin + root
    const method = head.method === 'HEAD' ? 'GET' : head.method
    const extra = extras.get(path)
    if (extra?.get(method)?.anonymous === true) {
      const call: ExtraCall = { request: incoming, principal: undefined, serviceUrl, headers, dispatch: handle }
      return extra.get(method)?.handle(call) ?? notFound(path)
    }
    const identified = authenticate(head)
    const principal = identified instanceof Promise ? await identified : identified
    if (target === '*') return otherMethod(head.method, serverMethods, headers)
    if (extra !== undefined) {
      const chosen = extra.get(method)
      if (chosen === undefined) return otherMethod(head.method, extra.keys(), headers)
      return chosen.handle({ request: incoming, principal, serviceUrl, headers, dispatch: handle })
    }
    if (!path.startsWith(root) || (path.length > root.length && path[root.length] !== '/')) {
      return notFound(path, `The service begins at ${root}.`)
    }
    const segments = splitPath(path.slice(root.length))
    if (segments === undefined) {
      throw new RequestFault('malformedKey', {
        values: { key: path, reason: 'The percent-encoding of the path is broken.' },
      })
    }
    const match = router.match(segments)
    if (match === undefined) return notFound(path)
    const compiled = match.resource.targets.get(method)
    if (compiled === undefined) return otherMethod(head.method, match.resource.targets.keys(), headers)
    const below = path.slice(root.length)
    return serveRoute(
      {
        request: incoming,
        compiled,
        match,
        path: below.endsWith('/') ? below.slice(0, -1) : below,
        query,
        principal,
        serviceUrl,
        headers,
      },
      table,
      contextOf,
    )
  }

  return Object.assign(
    async (request: Request) => toWebResponse(await handle(fromWebRequest(request)), request.method),
    { handle },
  )
}

/** What `OPTIONS *` tells. @see RFC 9110, 9.3.7 */
const serverMethods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

function notFound(path: string, reason?: string): never {
  throw new RequestFault('pathNotFound', { values: { path, ...(reason === undefined ? {} : { reason }) } })
}

/** OPTIONS tells what there is; any other method is refused with the same list. @see RFC 9110, 9.3.7 and 15.5.6 */
function otherMethod(method: string, methods: Iterable<string>, headers: Record<string, string>): ServerResponse {
  const allow = allowedMethods(methods)
  if (method === 'OPTIONS') return { status: 204, headers: { ...headers, allow }, body: undefined }
  throw new RequestFault('methodNotAllowed', { headers: { allow }, values: { method, allowed: allow } })
}

function extrasByPath(routes: readonly ExtraRoute[]): ReadonlyMap<string, ReadonlyMap<string, ExtraRoute>> {
  const byPath = new Map<string, Map<string, ExtraRoute>>()
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, ExtraRoute>()
    byPath.set(route.path, methods.set(route.method, route))
  }
  return byPath
}

/** Prepares all routes of a service. */
function compileRoutes(table: ServiceTable, handlerOf: HandlerLookup): Router<CompiledRoute> {
  const router = createRouter<CompiledRoute>(table.namespace)
  for (const route of table.routes) router.add(route.segments, route.method, compileRoute(route, table, handlerOf))
  return router
}

/** The methods of a resource, for `Allow`. @see RFC 9110, 10.2.1 */
function allowedMethods(methods: Iterable<string>): string {
  const allowed: string[] = []
  for (const method of methods) allowed.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...allowed, 'OPTIONS'].join(', ')
}
