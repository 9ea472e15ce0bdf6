import type { TypeTable } from '../../../runtime/query/index.js'
import type { Endpoint, EntityType, ErrorDefinition, Service } from '../../../spec/language/index.js'
import type { Behaviour, Credential } from './behaviour.js'
import type { Arrival, Exchange, RequestFacts } from './exchange.js'
import { callOperation } from './operate/call-operation.js'
import { checkOptions } from './query/check-options.js'
import { readOptions } from './query/read-options.js'
import { matchingRows } from './read/matching-rows.js'
import { readCollection } from './read/read-collection.js'
import { readDelta } from './read/read-delta.js'
import { readItem } from './read/read-item.js'
import { refusalReply } from './reply/refusal-reply.js'
import { bare, type Reply } from './reply/reply.js'
import { findTarget } from './route/find-target.js'
import { matchPath, type PathMatch } from './route/match-path.js'
import { ServiceCrash } from './service-crash.js'
import type { World } from './world/world.js'
import { createItem } from './write/create-item.js'
import { deleteItem } from './write/delete-item.js'
import { updateItem } from './write/update-item.js'

interface Setting {
  readonly service: Service
  readonly types: TypeTable
  readonly behaviour: Behaviour
  readonly world: World
  readonly number: number
  readonly token: string
}

/** Answers a request; `isBodyless` when only the head of the answer was asked for. */
export async function answer(
  request: Request,
  { token, ...setting }: Setting,
): Promise<{ readonly reply: Reply; readonly isBodyless: boolean }> {
  const facts = await factsOf(request, setting.service.version)
  const match = facts.path === undefined ? undefined : matchPath(setting.service, facts.path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = match?.endpoints.find(each => each.method === method)
  const arrival: Arrival = {
    ...setting,
    request: { ...facts, path: facts.path ?? '' },
    ...(endpoint === undefined ? {} : { endpoint }),
  }
  const reply = routeSafely(arrival, match, endpoint, credentialOf(request, token))
  return { reply: setting.behaviour.reply(reply, arrival), isBodyless: request.method === 'HEAD' }
}

function routeSafely(...given: Parameters<typeof route>): Reply {
  try {
    return route(...given)
  } catch (error) {
    if (error instanceof ServiceCrash) return fail(given[0].service.faults.internalError, given[0])
    throw error
  }
}

function route(
  arrival: Arrival,
  match: PathMatch | undefined,
  endpoint: Endpoint | undefined,
  credential: Credential,
): Reply {
  const { service, behaviour } = arrival
  const { missing } = service.authentication
  if (missing !== undefined && !behaviour.admits(credential, arrival)) return fail(missing, arrival)
  if (match === undefined) return fail(service.faults.pathNotFound, arrival)
  if (arrival.request.method === 'OPTIONS') return bare(204, { Allow: allowed(match) })
  if (endpoint === undefined) {
    const reply = fail(service.faults.methodNotAllowed, arrival)
    return { ...reply, headers: { ...reply.headers, Allow: allowed(match) } }
  }
  if (!acceptsJson(arrival.request.headers.get('Accept'))) return fail(service.faults.notAcceptable, arrival)
  if (arrival.request.query.length + arrival.request.path.length > service.limits.url) {
    return fail(service.faults.uriTooLong, arrival)
  }
  return serve(endpoint, {
    ...arrival,
    endpoint,
    variables: match.variables,
    target: { kind: 'missing' },
    options: {},
    custom: new Map(),
  })
}

function serve(endpoint: Endpoint, given: Exchange): Reply {
  const read = readOptions(given)
  if (read.kind !== 'read') return refusalReply(read, given)
  const asked: Exchange = { ...given, custom: read.custom }
  const checked = checkOptions(read.options, typeOf(endpoint), asked)
  if (checked.kind !== 'checked') return refusalReply(checked, asked)
  const target = findTarget(endpoint, asked)
  const options = asked.behaviour.understand(checked.options, { ...asked, target, options: checked.options })
  return dispatch(endpoint, { ...asked, target, options })
}

function dispatch(endpoint: Endpoint, at: Exchange): Reply {
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
    default:
      break
  }
  const { target, behaviour } = at
  if (target.kind !== 'many') return fail(at.service.faults.itemNotFound, at)
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

function fail(error: ErrorDefinition, at: Arrival): Reply {
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
  return given === `Bearer ${token}` ? 'right' : 'wrong'
}

/** `path` is absent when the address does not lead below the service's version. */
async function factsOf(
  request: Request,
  version: string,
): Promise<Omit<RequestFacts, 'path'> & { readonly path: string | undefined }> {
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
