import type { TypeTable } from '../../../runtime/query/index.js'
import {
  buildTypeTable,
  changesOfList,
  type Endpoint,
  type EntityType,
  type ErrorDefinition,
  type Service,
} from '../../../spec/language/index.js'
import {
  type Behaviour,
  type Credential,
  type EndpointContext,
  emptyReply,
  type ReceivedRequest,
  type Reply,
  type RequestContext,
  rejectionReply,
} from './behaviour.js'
import { correctBehaviour } from './correct-behaviour.js'
import { callOperation } from './operations.js'
import { matchLinks, matchProperty, readLinks, readProperty } from './property-paths.js'
import { checkOptions, parseOptions, withNamedRelations } from './query-options.js'
import { readCollection, readDelta, readItem } from './reads.js'
import { matchReferenceWrite, writeReference } from './relation-writes.js'
import { preferenceValue } from './representation.js'
import { matchPath, type PathMatch, resolveTarget } from './routing.js'
import { matchingRows } from './rows.js'
import { createStore, type Data, type Store } from './store.js'
import { serveStream } from './streams.js'
import { createItem, createMedia, deleteItem, updateItem } from './writes.js'

export interface MutantServiceOptions {
  readonly service: Service
  readonly data: Data
  /** Default: `correctBehaviour`. */
  readonly behaviour?: Behaviour
  /** The behaviour of an endpoint. Default: `behaviour` for all. */
  readonly behaviourFor?: (endpoint: Endpoint | undefined) => Behaviour
  /** The accepted token. Default: `mutant-token`. */
  readonly token?: string
  /** Called before each request. Simulates writes by other clients. */
  readonly beforeRequest?: (store: Store, number: number) => void
  /** The store that a request reads. Default: the current one. */
  readonly storeFor?: (store: Store, request: Request, number: number) => Store
}

/**
 * Creates an in-process, in-memory service that behaves as its spec says, to test the conformance suite with. Each service
 * has its own copy of the data.
 */
export function createMutantService(options: MutantServiceOptions): (request: Request) => Promise<Response> {
  const { service, beforeRequest = () => {}, storeFor = store => store, token = 'mutant-token' } = options
  const store = createStore(service, options.data)
  const types = buildTypeTable(service)
  const behaviour = options.behaviour ?? correctBehaviour(service)
  const { behaviourFor = () => behaviour } = options
  let newest = 0
  return async request => {
    const number = ++newest
    beforeRequest(store, number)
    const { reply, isBodyless } = await answerRequest(request, {
      service,
      types,
      behaviourFor,
      store: storeFor(store, request, number),
      number,
      isOvertaken: () => newest > number,
      token,
    })
    return toResponse(reply, isBodyless)
  }
}

interface ServiceState {
  readonly service: Service
  readonly types: TypeTable
  readonly behaviourFor: (endpoint: Endpoint | undefined) => Behaviour
  readonly store: Store
  readonly number: number
  readonly isOvertaken: () => boolean
  readonly token: string
}

/** Answers a request. `isBodyless` is set for HEAD. */
async function answerRequest(
  request: Request,
  { token, behaviourFor, ...setting }: ServiceState,
): Promise<{ readonly reply: Reply; readonly isBodyless: boolean }> {
  const facts = await factsOf(request, setting.service.version)
  const match = facts.path === undefined ? undefined : matchPath(setting.service, facts.path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = match?.endpoints.find(each => each.method === method)
  const context: RequestContext = {
    ...setting,
    behaviour: behaviourFor(endpoint),
    request: { ...facts, path: facts.path ?? '' },
    ...(endpoint === undefined ? {} : { endpoint }),
  }
  const reply = routeRequest(context, match, endpoint, credentialOf(request, token))
  return { reply: context.behaviour.reply(reply, context), isBodyless: request.method === 'HEAD' }
}

function routeRequest(...call: Parameters<typeof route>): Reply {
  try {
    return route(...call)
  } catch (error) {
    if (error instanceof ServiceCrash) return errorFor(call[0].service.faults.internalError, call[0])
    throw error
  }
}

function route(
  context: RequestContext,
  match: PathMatch | undefined,
  endpoint: Endpoint | undefined,
  credential: Credential,
): Reply {
  const { service, behaviour } = context
  const { missing } = service.authentication
  if (missing !== undefined && !behaviour.authenticates(credential, context)) return errorFor(missing, context)
  const monitored = monitorReply(context)
  if (monitored !== undefined) return monitored
  if (prefersAsync(context)) return startJob(answer(context, match, endpoint), context)
  return answer(context, match, endpoint)
}

/** The answer to a request whose caller is known. */
function answer(context: RequestContext, match: PathMatch | undefined, endpoint: Endpoint | undefined): Reply {
  const { service } = context
  if (match === undefined) return propertyReply(context)
  if (context.request.method === 'OPTIONS') return emptyReply(204, { Allow: allowed(match) })
  if (endpoint === undefined) {
    const reply = errorFor(service.faults.methodNotAllowed, context)
    return { ...reply, headers: { ...reply.headers, Allow: allowed(match) } }
  }
  if (!acceptsJson(context.request.headers.get('Accept'))) return errorFor(service.faults.notAcceptable, context)
  if (context.request.query.length + context.request.path.length > service.limits.url) {
    return errorFor(service.faults.uriTooLong, context)
  }
  return preferredChanges(endpoint, context, match) ?? serveMatch(endpoint, context, match)
}

/** The changes of a list, if the caller prefers to track them. */
function preferredChanges(list: Endpoint, context: RequestContext, match: PathMatch): Reply | undefined {
  const { request } = context
  const preference = preferenceValue(request.headers.get('Prefer') ?? '', 'track-changes')
  const changes = changesOfList(list, context.service)
  if (preference === undefined || changes === undefined || request.query.includes('skiptoken=')) return undefined
  const path = `${request.path}/delta`
  const reply = serveMatch(changes, { ...context, request: { ...request, path } }, match)
  return { ...reply, headers: { ...reply.headers, 'Preference-Applied': 'odata.track-changes' } }
}

function serveMatch(endpoint: Endpoint, context: RequestContext, match: PathMatch): Reply {
  return serve(endpoint, {
    ...context,
    endpoint,
    variables: match.variables,
    target: { kind: 'missing' },
    options: {},
    custom: new Map(),
  })
}

/** The reply of a request with `Prefer: respond-async`, and how often its status monitor was asked. */
interface Job {
  readonly reply: Reply
  asked: number
}

const jobs = new WeakMap<Store, Map<string, Job>>()

function prefersAsync({ service, request }: RequestContext): boolean {
  const preference = preferenceValue(request.headers.get('Prefer') ?? '', 'respond-async')
  return service.features.respondAsync !== 'none' && preference !== undefined
}

/** Keeps the reply for the status monitor, whose URL is the answer. */
function startJob(reply: Reply, { store, request }: RequestContext): Reply {
  const own = jobs.get(store) ?? new Map<string, Job>()
  const path = `/$async/${own.size + 1}`
  jobs.set(store, own.set(path, { reply, asked: 0 }))
  return emptyReply(202, { Location: request.root + path, 'Preference-Applied': 'respond-async' })
}

/** The answer of a status monitor: the first time, the request still runs. */
function monitorReply({ store, request }: RequestContext): Reply | undefined {
  const job = request.method === 'GET' ? jobs.get(store)?.get(request.path) : undefined
  if (job === undefined) return undefined
  job.asked++
  if (job.asked === 1) return emptyReply(202, { Location: request.root + request.path })
  const { reply } = job
  return { ...reply, status: 200, headers: { ...reply.headers, AsyncResult: String(reply.status) } }
}

/** Answers a request to the path of a property or of links, if the service has such paths. */
function propertyReply(context: RequestContext): Reply {
  const { service, request } = context
  const links = matchLinks(service, request)
  const found = matchProperty(service, request)
  const change = matchReferenceWrite(service, request)
  const endpoint = (links ?? found ?? change)?.endpoint
  if (endpoint === undefined) return errorFor(service.faults.pathNotFound, context)
  const at: EndpointContext = {
    ...context,
    endpoint,
    variables: (links ?? found ?? change)?.variables ?? new Map(),
    target: { kind: 'missing' },
    options: {},
    custom: new Map(),
  }
  const targeted: EndpointContext = { ...at, target: resolveTarget(endpoint, at) }
  if (found !== undefined) return readProperty(found, targeted)
  return change === undefined ? readLinks(targeted) : writeReference(change, targeted)
}

function serve(endpoint: Endpoint, routed: EndpointContext): Reply {
  const read = parseOptions(routed)
  if (read.kind !== 'read') return rejectionReply(read, routed)
  const parsed: EndpointContext = { ...routed, custom: read.custom }
  const checked = checkOptions(read.options, typeOf(endpoint), parsed)
  if (checked.kind !== 'checked') return rejectionReply(checked, parsed)
  const target = resolveTarget(endpoint, parsed)
  const { select } = checked.options
  const flat = select === undefined ? {} : { select: select.flatMap(parsed.behaviour.nestedSelect) }
  const requested = { ...checked.options, ...flat }
  const options = parsed.behaviour.interpret(requested, { ...parsed, target, options: requested })
  return dispatch(endpoint, { ...parsed, target, options: withNamedRelations(options, typeOf(endpoint), parsed) })
}

function dispatch(endpoint: Endpoint, at: EndpointContext): Reply {
  switch (endpoint.kind) {
    case 'item':
      return readItem(endpoint, at)
    case 'create':
      return createItem(endpoint, at)
    case 'update':
    case 'replace':
      return updateItem(endpoint, at)
    case 'delete':
      return deleteItem(endpoint, at)
    case 'call':
      return callOperation(endpoint, at)
    case 'createMedia':
      return createMedia(endpoint, at)
    case 'readStream':
    case 'replaceStream':
    case 'deleteStream':
      return serveStream(endpoint, at)
    default:
      break
  }
  const { target, behaviour } = at
  if (target.kind !== 'many') return errorFor(at.service.faults.itemNotFound, at)
  if (endpoint.kind === 'collection') return readCollection(target.rows, endpoint.type, at)
  if (endpoint.kind === 'delta') return readDelta(endpoint, target.rows, at)
  const count = behaviour.countPath(matchingRows(target.rows, at.options, at), target.rows, at)
  return { status: 200, headers: { 'Content-Type': 'text/plain' }, text: String(count) }
}

function typeOf(endpoint: Endpoint): EntityType | undefined {
  if (endpoint.kind !== 'call') return endpoint.type
  const returned = endpoint.operation.returns?.type
  return returned?.kind === 'entityType' ? returned : undefined
}

function errorFor(error: ErrorDefinition, at: RequestContext): Reply {
  return at.behaviour.error(error, error.message, at)
}

function allowed({ endpoints }: PathMatch): string {
  const methods = endpoints.map(({ method }): string => method)
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ')
}

function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true
  return /(\*\/\*|application\/\*|json|text\/plain)/i.test(accept)
}

function credentialOf({ headers }: Request, token: string): Credential {
  const given = headers.get('Authorization')
  if (given === null) return 'none'
  if (given === `Bearer ${token}`) return 'right'
  const [scheme, presented = ''] = given.split(' ')
  if (presented === token) return 'otherScheme'
  if (scheme !== 'Bearer' || presented.length < token.length - 1) return 'wrong'
  if (presented.toLowerCase() === token.toLowerCase()) return 'otherCase'
  if (presented.startsWith(token)) return 'lengthened'
  return token.startsWith(presented) ? 'shortened' : 'wrong'
}

/** `path` is undefined if the URL is not below the version segment. */
async function factsOf(
  request: Request,
  version: string,
): Promise<Omit<ReceivedRequest, 'path'> & { readonly path: string | undefined }> {
  const url = new URL(request.url)
  const steps = url.pathname.split('/')
  const start = steps.indexOf(version)
  const root = `${url.origin}${steps.slice(0, start + 1).join('/')}`
  return {
    method: request.method,
    root,
    path: start < 0 ? undefined : `/${steps.slice(start + 1).join('/')}`,
    query: url.search.slice(1),
    headers: request.headers,
    body: await request.text(),
  }
}

function toResponse({ status, headers, json, text }: Reply, isBodyless: boolean): Response {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json))
  const all = new Headers({ 'OData-Version': '4.01' })
  if (body !== undefined) all.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  const isEmpty = isBodyless || body === undefined || [204, 304].includes(status)
  return new Response(isEmpty ? null : body, { status, headers: all })
}

/** A mutant throws this to simulate a crash. The client gets an internal error. */
export class ServiceCrash extends Error {
  override readonly name = 'ServiceCrash'
}
