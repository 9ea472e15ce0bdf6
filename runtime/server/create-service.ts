import type { TransformationParts } from '../query/index.js'
import type { Asynchronous } from './asynchronous.js'
import type { Batches } from './batch/batch-route.js'
import { RequestFault } from './errors.js'
import { type CompiledRoute, compileRoute } from './exchange.js'
import { type HandlerLookup, queryFunctionsByName } from './handler.js'
import { isSendable, type ServerRequest, type ServerResponse } from './http/message.js'
import { type PropertyTargets, resolvePropertyPath } from './property-paths/index.js'
import { entityRequest, referenceTargets } from './reference-paths.js'
import { relatedListFinder } from './related-lists.js'
import { requireSupportedVersion, responseForError, standardHeaders } from './response/json-response.js'
import { hasOpenQuote, splitPath, splitTarget } from './routing/path.js'
import { createReferences, createRouter } from './routing/router.js'
import { authenticator, type RoutedRequest, type ServeRoute, serveRoute } from './serve-route.js'
import type { ExtraCall, ExtraRoute, ServiceOptions } from './service-options.js'
import { type ServiceTable, validateServiceTable } from './service-table.js'
import { answerTracked, trackedChanges } from './track-changes.js'

/** A running service. It returns a response for every request and never throws. */
export interface Service {
  (request: Request): Promise<Response>
  /** The same without `Request` and `Response`, for servers that don't support them. */
  readonly handle: (request: ServerRequest) => Promise<ServerResponse>
}

/** Code that only some services need, so that bundlers leave it out of the others. */
export interface ServiceParts {
  /** For services with the feature `batch`. */
  readonly batches?: Batches
  /** For services with the feature `respondAsync`. */
  readonly asynchronous?: Asynchronous
  /** For services with the feature `propertyPaths`. Queries on the values of a property are evaluated in memory. */
  readonly propertyTargets?: PropertyTargets
  /** For services with an endpoint that allows `$apply`. */
  readonly transformations?: TransformationParts
}

/**
 * Creates a service. It routes each request, checks it against the table, calls the handler and builds the response.
 *
 * @param handlerOf finds the handler of each route; called once per route, now
 * @throws {TypeError} if the table contradicts itself or `authenticate` or a part that the table needs is missing
 */
export function createService<Context>(
  given: ServiceTable,
  handlerOf: HandlerLookup,
  options: ServiceOptions<Context> = {},
  { asynchronous, batches, propertyTargets, transformations }: ServiceParts = {},
): Service {
  const table = { ...given, limits: { ...given.limits, ...options.limits } }
  validateServiceTable(table)
  const router = createRouter<CompiledRoute>(table.namespace)
  const handlers = queryFunctionsByName(options.functions ?? {}, table.functions ?? {})
  for (const route of table.routes)
    router.add(route.segments, route.method, compileRoute(route, table, handlerOf, transformations, handlers))
  const hasPropertyPaths = table.features?.includes('propertyPaths') === true
  if (hasPropertyPaths && propertyTargets === undefined) {
    throw new TypeError(
      'A service with the feature propertyPaths needs the part propertyTargets: createService(..., { propertyTargets }).',
    )
  }
  if (transformations === undefined && table.routes.some(({ query }) => query?.apply !== undefined)) {
    throw new TypeError(
      'A service with endpoints that allow $apply needs the part transformations: createService(..., { transformations }).',
    )
  }
  const hasReferences = table.features?.includes('references') === true
  const tracksChanges = table.features?.includes('trackChanges') === true
  const linksItems = table.features?.some(name => linkFeatures.includes(name)) === true
  const authenticate = authenticator(table, options.authenticate)
  if (batches === undefined && table.features?.includes('batch') === true) {
    throw new TypeError('A service with the feature batch needs the part batches: createService(..., { batches }).')
  }
  const respondsAsync = table.features?.includes('respondAsync') === true
  if (asynchronous === undefined && respondsAsync) {
    throw new TypeError(
      'A service with the feature respondAsync needs the part asynchronous: createService(..., { asynchronous }).',
    )
  }
  const root = options.root ?? `/${table.version}`
  const batchRoutes = batches?.({ table, root, limits: options.limits, atomically: options.atomically }) ?? []
  const extras = extrasByPath([...batchRoutes, ...(options.extraRoutes ?? [])])
  const referenceOf = linksItems ? createReferences(table, root) : undefined
  const relatedListOf = relatedListFinder(router, table)
  const contextOf = options.context ?? ((): unknown => undefined)

  const respondTo = (error: unknown, request: ServerRequest, headers = standardHeaders(request.head)): ServerResponse =>
    responseForError(error, table, headers, unexpected => {
      options.telemetry?.failed(unexpected)
      options.onError?.(unexpected, request.head, headers['request-id'])
    })
  const answer = async (request: ServerRequest): Promise<ServerResponse> => {
    const headers = standardHeaders(request.head)
    let response: ServerResponse
    try {
      response = await serve(request, headers)
    } catch (error) {
      response = respondTo(error, request, headers)
    }
    return isSendable(response, headers)
      ? response
      : respondTo(new TypeError('A handler returned a header or status that cannot be sent.'), request, headers)
  }

  const serve = async (request: ServerRequest, headers: Record<string, string>): Promise<ServerResponse> => {
    const { head, target } = request
    if (target.length > table.limits.url) {
      throw new RequestFault('uriTooLong', { values: { limit: table.limits.url } })
    }
    const { path, query } = splitTarget(target)
    const serviceUrl = options.publicUrl ?? request.origin + root
    const method = head.method === 'HEAD' ? 'GET' : head.method
    const extra = extras.get(path)
    if (extra?.get(method)?.anonymous === true) {
      const call: ExtraCall = { request, principal: undefined, serviceUrl, headers, dispatch: answer }
      return extra.get(method)?.handle(call) ?? notFound(path)
    }
    requireSupportedVersion(head)
    const identified = authenticate(head)
    const principal = identified instanceof Promise ? await identified : identified
    if (target === '*') return otherMethod(head.method, serverMethods, headers)
    if (extra !== undefined) {
      const chosen = extra.get(method)
      if (chosen === undefined) return otherMethod(head.method, extra.keys(), headers)
      return chosen.handle({ request, principal, serviceUrl, headers, dispatch: answer })
    }
    if (!path.startsWith(root) || (path.length > root.length && path[root.length] !== '/')) {
      return notFound(path, `The root of the service is ${root}.`)
    }
    const segments = splitPath(path.slice(root.length))
    if (segments === undefined) {
      throw new RequestFault('malformedKey', {
        values: { key: path, reason: 'The percent-encoding of the path is invalid.' },
      })
    }
    const below = path.slice(root.length)
    if (hasReferences && method === 'GET' && below === '/$entity') {
      return serve(entityRequest(request, root, serviceUrl), headers)
    }
    const routed = {
      request,
      path: below.endsWith('/') ? below.slice(0, -1) : below,
      query,
      principal,
      serviceUrl,
      headers,
      references: referenceOf === undefined ? undefined : (url: string) => referenceOf(url, serviceUrl),
      relatedList: relatedListOf({ head, principal, serviceUrl }),
    }
    const match = router.match(segments)
    if (match === undefined) {
      if (segments.some(hasOpenQuote)) {
        throw new RequestFault('malformedKey', { values: { key: path, reason: 'A quote is not closed.' } })
      }
      const links = hasReferences ? referenceTargets(segments, router, table) : undefined
      const change = links?.get(method)
      if (change !== undefined) return change(routed, serveOne)
      if (links !== undefined) return otherMethod(head.method, links.keys(), headers)
      const property = hasPropertyPaths ? resolvePropertyPath(segments, router, table) : undefined
      if (property === undefined || propertyTargets === undefined) return notFound(path)
      const targets = propertyTargets(property, table)
      const target = targets.get(method)
      if (target === undefined) return otherMethod(head.method, targets.keys(), headers)
      return target(routed, serveOne)
    }
    const compiled = match.resource.targets.get(method)
    if (compiled === undefined) return otherMethod(head.method, match.resource.targets.keys(), headers)
    const { path: own, references, relatedList } = routed
    // V8 takes longer to add members to a spread object.
    const found: RoutedRequest = {
      request,
      path: own,
      query,
      principal,
      serviceUrl,
      headers,
      references,
      relatedList,
      compiled,
      match,
    }
    const tracked = tracksChanges ? trackedChanges(found, segments, router, table) : undefined
    return tracked === undefined ? serveOne(found) : answerTracked(tracked, serveOne)
  }
  const serveOne: ServeRoute = routed => serveRoute(routed, table, contextOf)
  const { body, stream = body } = table.limits
  const respond =
    asynchronous !== undefined && respondsAsync
      ? asynchronous({
          root,
          publicUrl: options.publicUrl,
          maxBody: Math.max(body, stream),
          identify: authenticate,
          answer,
          respondTo,
        })
      : answer
  const handle = options.telemetry?.measure(respond, { table, root, paths: extras.keys() }) ?? respond

  return Object.assign(
    async (request: Request) => toWebResponse(await handle(fromWebRequest(request)), request.method),
    { handle },
  )
}

/** The methods that `OPTIONS *` returns. @see RFC 9110, 9.3.7 */
/** The features of services whose requests name items by their URLs. */
const linkFeatures: readonly string[] = ['bind', 'references', 'deepInsert', 'deepUpdate']

const serverMethods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

function notFound(path: string, reason?: string): never {
  throw new RequestFault('pathNotFound', { values: { path, ...(reason === undefined ? {} : { reason }) } })
}

/** Responds to OPTIONS with the allowed methods, and to other methods with 405. @see RFC 9110, 9.3.7 and 15.5.6 */
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

/** The methods of a resource, for `Allow`. @see RFC 9110, 10.2.1 */
function allowedMethods(methods: Iterable<string>): string {
  const allowed: string[] = []
  for (const method of methods) allowed.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...allowed, 'OPTIONS'].join(', ')
}

export function fromWebRequest(request: Request): ServerRequest {
  const { url } = request
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', pathStart)
  return {
    head: request,
    origin: url.slice(0, pathStart),
    target: fragment < 0 ? url.slice(pathStart) : url.slice(pathStart, fragment),
    readBody: limit => readBody(request, limit),
  }
}

export function toWebResponse({ status, headers, body }: ServerResponse, method: string): Response {
  const bodiless = method === 'HEAD' || status === 204 || status === 304
  // A copy, because since TypeScript 5.7 the compiler distinguishes buffers that can be shared with other threads.
  const content = typeof body === 'object' && body !== null ? body.slice(0) : (body ?? null)
  return new Response(bodiless ? null : content, { status, headers })
}

async function readBody(request: Request, limit: number): Promise<Uint8Array | 'tooLarge'> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return 'tooLarge'
  if (request.body === null) return new Uint8Array(0)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw incompleteBodyFault()
    })
    if (done) return joinChunks(chunks, length)
    length += value.byteLength
    if (length > limit) {
      await reader.cancel()
      return 'tooLarge'
    }
    chunks.push(value)
  }
}

/** The caller disconnected before its body was complete. */
export function incompleteBodyFault(): RequestFault {
  return new RequestFault('malformedBody', { values: { reason: 'It ended before it was complete.' } })
}

export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
