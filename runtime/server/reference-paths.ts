import { isSubtype, type NavigationInfo, type TypeTable, typeKey } from '../query/index.js'
import { readRequestBody } from './body/json-body.js'
import { RequestFault } from './errors.js'
import type { CompiledRoute } from './exchange.js'
import type { ServerRequest, ServerResponse } from './http/message.js'
import { rejectQuery } from './planning/planner.js'
import { innerRequest } from './property-paths/property-path.js'
import { keyLiteral } from './response/context-url.js'
import { jsonContentType } from './response/json-response.js'
import { isRow } from './response/returned-properties.js'
import { parseSegmentCall, splitTarget } from './routing/path.js'
import type { PathMatch, Router } from './routing/router.js'
import type { RoutedRequest, ServeRoute } from './serve-route.js'
import { keyProperties, qualifiedTypeName, type ServiceTable, structuredType } from './service-table.js'
import { parseExactJson, printJson } from './value/primitive-values.js'

type Match = PathMatch<CompiledRoute>

/** The links of a relation of an item, `/books/1/authors/$ref`, or one of them. */
interface ReferencePath {
  readonly owner: Match
  readonly name: string
  readonly info: NavigationInfo
  /** The derived type that the path casts the owner to. Undefined: none. */
  readonly cast: string | undefined
  /** The literal of the key of one item of a collection. */
  readonly key: string | undefined
  /** The path without `$ref`. Undefined: no endpoint reads it. */
  readonly items: Match | undefined
}

/** Answers a request for links, with the function that serves the requests to items. */
type ReferenceTarget = (
  requested: Omit<RoutedRequest, 'compiled' | 'match'>,
  serveRoute: ServeRoute,
) => Promise<ServerResponse>

/**
 * The methods of a path to links, each answered by the endpoints of the items: GET by the one that reads the related items, and
 * the others by the one that updates the item. Undefined: it is no such path.
 *
 * @see OData Protocol 4.01, 11.2.9 (entity references) and 11.4.6 (modifying relationships)
 */
export function referenceTargets(
  segments: readonly string[],
  router: Router<CompiledRoute>,
  table: ServiceTable,
): ReadonlyMap<string, ReferenceTarget> | undefined {
  if (segments.at(-1) !== '$ref') return undefined
  const path = findRelation(segments.slice(0, -1), router, table)
  if (path === undefined) return itemReferences(router.match(segments.slice(0, -1)))
  const targets = new Map<string, ReferenceTarget>()
  const reader = path.key === undefined ? path.items?.resource.targets.get('GET') : undefined
  if (reader !== undefined && path.items !== undefined) {
    const { items } = path
    targets.set('GET', (requested, serveRoute) => readReferences(requested, items, reader, serveRoute))
  }
  const updater = path.owner.resource.targets.get('PATCH')
  if (updater === undefined || path.info.contained === true) return targets
  const change =
    (bodyOf: (requested: Omit<RoutedRequest, 'compiled' | 'match'>) => object | Promise<object>): ReferenceTarget =>
    async (requested, serveRoute) => {
      const body = { ...typed, ...(await bodyOf(requested)) }
      try {
        return await changeLinks(requested, path.owner, updater, body, serveRoute)
      } catch (error) {
        // The item is not of the type in the path.
        if (error instanceof RequestFault && error.fault === 'invalidBody' && error.given.target === '@odata.type')
          throw new RequestFault('itemNotFound')
        throw error
      }
    }
  const { name, info, key, cast } = path
  const typed = cast === undefined ? {} : { '@odata.type': `#${qualifiedTypeName(cast, table)}` }
  if (info.collection !== true) {
    targets.set(
      'PUT',
      change(async requested => ({ [`${name}@odata.bind`]: await idIn(requested, table) })),
    )
    targets.set(
      'DELETE',
      change(() => ({ [`${name}@odata.bind`]: null })),
    )
    return targets
  }
  if (key === undefined) {
    targets.set(
      'POST',
      change(async requested => ({ [`${name}@odata.bind`]: [await idIn(requested, table)] })),
    )
  }
  const removed = (id: string): object => ({ '@removed': { reason: 'changed' }, '@odata.id': id })
  targets.set(
    'DELETE',
    change(({ query }) => ({
      [`${name}@odata.delta`]: [removed(key === undefined ? idOption(query) : urlOf(key, info, table))],
    })),
  )
  return targets
}

/** The URLs of an item or of the items of a list, `/books/1/$ref` and `/books/$ref`. */
function itemReferences(items: Match | undefined): ReadonlyMap<string, ReferenceTarget> | undefined {
  const reader = items?.resource.targets.get('GET')
  const kind = reader?.route.kind
  if (items === undefined || reader === undefined || (kind !== 'item' && kind !== 'collection')) return undefined
  return new Map([['GET', (requested, serveRoute) => readReferences(requested, items, reader, serveRoute)]])
}

/**
 * The request for the item that `/$entity?$id=...` names, if it is one: its URL is below the root of the service. The other query
 * options stay. Fails with `malformedQueryOption` without such a URL.
 *
 * @see OData URL Conventions 4.01, 4.4 (resolving an entity-id)
 */
export function entityRequest(request: ServerRequest, root: string, serviceUrl: string): ServerRequest {
  const { query } = splitTarget(request.target)
  const parts = query.split('&')
  const id = idOption(query)
  const url = URL.canParse(id, `${serviceUrl}/`) ? new URL(id, `${serviceUrl}/`) : undefined
  const base = new URL(`${serviceUrl}/`)
  if (url === undefined || url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) {
    const reason = `It must be the URL of an item below ${serviceUrl}.`
    throw new RequestFault('malformedQueryOption', { target: '$id', values: { option: '$id', reason } })
  }
  const others = parts.filter(part => part !== '' && !idPart.test(part))
  const path = `${root}/${url.pathname.slice(base.pathname.length)}`
  return { ...request, target: others.length === 0 ? path : `${path}?${others.join('&')}` }
}

function findRelation(
  path: readonly string[],
  router: Router<CompiledRoute>,
  table: ServiceTable,
): ReferencePath | undefined {
  const last = path.at(-1) ?? ''
  const call = parseSegmentCall(last)
  const direct = relationOf(path.slice(0, -1), call?.name ?? last, router, table)
  if (direct !== undefined) return { ...direct, key: call?.arguments, items: router.match(path) }
  const outer = relationOf(path.slice(0, -2), path.at(-2) ?? '', router, table)
  if (outer?.info.collection !== true) return undefined
  const [only, ...others] = keyProperties(table.types, outer.info.type) ?? []
  if (only === undefined || others.length > 0) return undefined
  return { ...outer, key: decodeURIComponent(keyLiteral(last, only.type)), items: undefined }
}

function relationOf(
  path: readonly string[],
  name: string,
  router: Router<CompiledRoute>,
  { types }: ServiceTable,
): Pick<ReferencePath, 'owner' | 'name' | 'info' | 'cast'> | undefined {
  const last = path.at(-1) ?? ''
  const cast = last.includes('.') ? typeKey(last, types) : undefined
  const uncast = cast === undefined ? undefined : ownerOf(path.slice(0, -1), router)
  if (cast !== undefined && uncast !== undefined && isSubtype(cast, uncast.type, types)) {
    const below = relationNamed(name, cast, types)
    if (below !== undefined) return { owner: uncast.owner, name, info: below, cast }
  }
  const found = ownerOf(path, router)
  const info = found === undefined ? undefined : relationNamed(name, found.type, types)
  return found === undefined || info === undefined ? undefined : { owner: found.owner, name, info, cast: undefined }
}

function relationNamed(name: string, type: string, types: TypeTable): NavigationInfo | undefined {
  const navigation = structuredType(types, type)?.navigation
  return navigation !== undefined && Object.hasOwn(navigation, name) ? navigation[name] : undefined
}

/** The item at a path, and its declared type. Undefined: the path leads to no item. */
function ownerOf(
  path: readonly string[],
  router: Router<CompiledRoute>,
): { readonly owner: Match; readonly type: string } | undefined {
  const owner = path.length === 0 ? undefined : router.match(path)
  const routes = owner === undefined ? [] : [owner.resource.targets.get('GET'), owner.resource.targets.get('PATCH')]
  const type = routes.find(found => found?.route.kind === 'item' || found?.route.kind === 'update')?.route.type
  return owner === undefined || type === undefined ? undefined : { owner, type }
}

async function readReferences(
  requested: Omit<RoutedRequest, 'compiled' | 'match'>,
  match: Match,
  compiled: CompiledRoute,
  serveRoute: ServeRoute,
): Promise<ServerResponse> {
  const { select, expand } = compiled.plan(requested.query).options
  const refused = [...(select === undefined ? [] : ['$select']), ...(expand === undefined ? [] : ['$expand'])]
  rejectQuery(
    'unsupportedQueryOption',
    refused.map(option => ({ option, message: `The query option '${option}' does not apply to URLs of items.` })),
  )
  const accept = jsonContentType({ metadata: 'full', ieee754Compatible: false })
  const request = innerRequest(requested.request, { method: 'GET', headers: { accept } })
  const response = await serveRoute({ ...requested, request, compiled, match })
  if (response.status !== 200) return response
  const json = parseExactJson(String(response.body))
  const page = isRow(json) ? json : {}
  const isList = Array.isArray(page['value'])
  const context = { '@odata.context': `${requested.serviceUrl}/$metadata#${isList ? 'Collection($ref)' : '$ref'}` }
  const kept = ['@odata.count', '@odata.nextLink']
    .filter(name => Object.hasOwn(page, name))
    .map(name => [name, page[name]])
  const items: readonly unknown[] = Array.isArray(page['value']) ? page['value'] : []
  const body = isList
    ? { ...context, ...Object.fromEntries(kept), value: items.map(idOnly) }
    : { ...context, ...idOnly(page) }
  const headers: Record<string, string> = { ...response.headers, 'content-type': jsonContentType() }
  return { status: 200, headers, body: printJson(body) }
}

const idOnly = (item: unknown): { readonly '@odata.id': unknown } => ({
  '@odata.id': isRow(item) ? (item['@odata.id'] ?? null) : null,
})

async function changeLinks(
  requested: Omit<RoutedRequest, 'compiled' | 'match'>,
  match: Match,
  compiled: CompiledRoute,
  body: unknown,
  serveRoute: ServeRoute,
): Promise<ServerResponse> {
  const headers: Readonly<Record<string, string | null>> = {
    'content-type': 'application/json',
    prefer: 'return=minimal',
    accept: null,
  }
  const request = innerRequest(requested.request, { method: 'PATCH', headers, body: printJson(body) })
  const response = await serveRoute({ ...requested, request, compiled, match, query: '' })
  const shown = Object.entries(response.headers).filter(([name]) => name !== 'preference-applied')
  return { ...response, headers: Object.fromEntries(shown) }
}

/** The URL in a body, `{"@odata.id": "authors(1)"}`. */
async function idIn({ request }: Pick<RoutedRequest, 'request'>, { limits }: ServiceTable): Promise<string> {
  const json = await readRequestBody(request, limits.body, undefined)
  const id = isRow(json) ? (json['@odata.id'] ?? json['@id']) : undefined
  if (typeof id === 'string') return id
  const message = 'The body must be an object with the URL of an item in @odata.id.'
  throw new RequestFault('invalidBody', {
    target: '@odata.id',
    values: { property: '@odata.id', reason: message },
    reasons: [{ target: '@odata.id', message }],
  })
}

const idPart = /^(?:\$|%24)?id=(.+)$/i

/** The query option `$id`. @see OData Protocol 4.01, 11.4.6.2 (remove a reference) */
function idOption(query: string): string {
  for (const part of query.split('&')) {
    const [, text] = idPart.exec(part) ?? []
    if (text === undefined) continue
    try {
      return decodeURIComponent(text.replaceAll('+', ' '))
    } catch {
      break
    }
  }
  const reason = 'It must be the URL of an item.'
  throw new RequestFault('malformedQueryOption', { target: '$id', values: { option: '$id', reason } })
}

/** The URL of a related item, by its key. */
function urlOf(key: string, { type }: NavigationInfo, { container, types }: ServiceTable): string {
  const sets = Object.entries(container).filter(([, info]) => info.kind === 'entitySet')
  const [set] = sets.find(([, info]) => isSubtype(type, info.type, types) || isSubtype(info.type, type, types)) ?? []
  return `${set ?? type}(${encodeURI(key)})`
}
