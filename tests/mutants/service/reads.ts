import type { ReadEndpoint } from '../../../spec/language/index.js'
import { type EndpointContext, emptyReply, type Reply } from './behaviour.js'
import type { Json } from './json.js'
import { appliedHeader, contextOf, itemReply, preferenceValue, representationOf } from './representation.js'
import { matchingRows } from './rows.js'
import type { Entity } from './store.js'
import { transformedItems } from './transformations.js'

/** A page of a collection. */
export function readCollection(rows: readonly Entity[], type: ReadEndpoint['type'], at: EndpointContext): Reply {
  const { behaviour } = at
  if (at.options.apply !== undefined || at.options.compute !== undefined) return readTransformed(rows, type, at)
  const matching = matchingRows(rows, at.options, at)
  const page = behaviour.page(matching, at)
  const count = behaviour.count(matching, page.rows, at)
  const json: Record<string, Json> = { '@odata.context': contextOf(type, at) }
  if (count !== undefined) json['@odata.count'] = count
  json['value'] = page.rows.map(row => representationOf(row, type, at))
  if (page.next !== undefined) json['@odata.nextLink'] = linkTo(behaviour.nextLinkQuery(page.next, at), at)
  return { status: 200, headers: appliedHeader(at), json }
}

/** A page of the rows that transformations make of a collection, or of its items with computed properties. */
function readTransformed(entities: readonly Entity[], type: ReadEndpoint['type'], at: EndpointContext): Reply {
  const found = at.options.search === undefined ? entities : matchingRows(entities, { search: at.options.search }, at)
  const rows = transformedItems(found, type, at)
  const page = cutPage(rows, at)
  const json: Record<string, Json> = { '@odata.context': contextOf(type, at) }
  if (at.options.count === true) json['@odata.count'] = rows.length
  json['value'] = [...page.rows]
  if (page.next !== undefined) json['@odata.nextLink'] = linkTo(at.behaviour.nextLinkQuery(page.next, at), at)
  return { status: 200, headers: appliedHeader(at), json }
}

/** The number of matching rows, if requested. */
export function countOf(matching: readonly Entity[], at: EndpointContext): number | undefined {
  if (at.options.count !== true) return undefined
  const isLater = startOf(at) !== undefined
  return isLater && at.behaviour.choices['countOnLaterPages'] === 'first' ? undefined : matching.length
}

/** Page size if the spec declares none. */
const defaultPageSize = 100

/** The requested page of a list. The skip token is the number of rows before the page. */
export function cutPage<T>(
  rows: readonly T[],
  at: EndpointContext,
): { readonly rows: readonly T[]; readonly next?: string } {
  const { skip = 0, top } = at.options
  const start = startOf(at) ?? skip
  const isTotal = at.behaviour.choices['topMeaning'] === 'total'
  const last = isTotal && top !== undefined ? Math.min(rows.length, skip + top) : rows.length
  const end = Math.min(last, start + pageSize(at))
  const page = rows.slice(start, end)
  return end < last && end > start ? { rows: page, next: String(end) } : { rows: page }
}

function preferredPageSize({ headers }: EndpointContext['request']): number {
  return Number(preferenceValue(headers.get('Prefer') ?? '', 'maxpagesize') ?? Number.POSITIVE_INFINITY)
}

export function pageSize({ options: { top }, behaviour, endpoint, request }: EndpointContext): number {
  const declared = ('query' in endpoint ? endpoint.query?.top.default : undefined) ?? defaultPageSize
  const size = behaviour.choices['defaultPageSize'] === 'other' ? Math.ceil(declared * 0.4) : declared
  if (endpoint.kind === 'delta') return Math.min(size, preferredPageSize(request))
  if (top === undefined) return size
  return behaviour.choices['topMeaning'] === 'total' ? Math.max(size, top) : top
}

/** The offset of the page in a next link. Undefined for the first page. */
export function startOf({ options: { skiptoken } }: EndpointContext): number | undefined {
  return skiptoken === undefined ? undefined : Number(skiptoken)
}

/** The query string of a link: the query string of the request with a new token. */
export function linkQuery(name: 'skiptoken' | 'deltatoken', position: string, at: EndpointContext): string {
  const parts = at.request.query.split('&').filter(part => part !== '' && !/^(\$|%24)(skip|delta)token=/i.test(part))
  return [...parts, `$${name}=${encodeURIComponent(position)}`].join('&')
}

/** A link, absolute or relative as the service chose. */
function linkTo(query: string, at: EndpointContext): string {
  const { root, path } = at.request
  const isRelative = at.behaviour.choices['nextLinkForm'] === 'relative'
  return `${isRelative ? new URL(root).pathname : root}${path}?${query}`
}

/** Returns one item, or 304 if the client has the current version. */
export function readItem(endpoint: ReadEndpoint, at: EndpointContext): Reply {
  const { target, behaviour, service } = at
  if (target.kind === 'empty') return answerAbsent(endpoint, at)
  if (target.kind !== 'one')
    return behaviour.error(service.faults.itemNotFound, service.faults.itemNotFound.message, at)
  const tag = behaviour.tag(target.row, at)
  const known = behaviour.header('If-None-Match', at)
  if (known !== null && behaviour.matchesTag(known, tag, 'If-None-Match', at)) {
    return emptyReply(304, tag === undefined ? {} : { ETag: tag })
  }
  return itemReply(target.row, endpoint.type, 200, at)
}

/** The response for a single-valued relation without a target. */
function answerAbsent(endpoint: ReadEndpoint, at: EndpointContext): Reply {
  const { behaviour, service } = at
  const choice = service.open.some(({ name }) => name === 'absentRelation')
    ? behaviour.choices['absentRelation']
    : undefined
  const answer = String(choice ?? endpoint.absent)
  if (answer === 'null') return { status: 200, headers: {}, json: null }
  if (answer === '204') return emptyReply(204)
  return behaviour.error(service.faults.itemNotFound, service.faults.itemNotFound.message, at)
}

/** Returns all rows, or those that changed since a delta link was issued. The last page has a new delta link. */
export function readDelta(endpoint: ReadEndpoint, rows: readonly Entity[], at: EndpointContext): Reply {
  const { behaviour, store, service } = at
  const token = parseDeltaToken(at)
  if (token === undefined) return behaviour.error(service.faults.expiredToken, service.faults.expiredToken.message, at)
  const changed = token.since === 0 ? rows : behaviour.changedSince(rows, token.since, at)
  const deleted = token.since === 0 ? [] : behaviour.removedSince(token.since, at)
  const items = [...changed.map(row => representationOf(row, endpoint.type, at)), ...deleted]
  const end = token.start + pageSize(at)
  const json: Record<string, Json> = { '@odata.context': contextOf(endpoint.type, at) }
  json['value'] = token.isLatest ? [] : items.slice(token.start, end)
  if (end < items.length && !token.isLatest) {
    json['@odata.nextLink'] = linkTo(linkQuery('skiptoken', `${token.since}.${end}.${token.upTo}`, at), at)
  } else {
    const until = token.isLatest ? store.revision : token.upTo
    json['@odata.deltaLink'] = linkTo(linkQuery('deltatoken', String(until), at), at)
  }
  return { status: 200, headers: {}, json }
}

interface DeltaToken {
  /** The revision after which changes are reported; 0: all rows. */
  readonly since: number
  readonly start: number
  /** The revision at which the round began. */
  readonly upTo: number
  readonly isLatest: boolean
}

function parseDeltaToken({ options: { skiptoken, deltatoken }, store }: EndpointContext): DeltaToken | undefined {
  const now = { start: 0, upTo: store.revision, isLatest: false }
  if (skiptoken !== undefined) {
    const parts = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(skiptoken)
    if (parts === null) return undefined
    const [, since = '', start = '', upTo = ''] = parts
    return { since: Number(since), start: Number(start), upTo: Number(upTo), isLatest: false }
  }
  if (deltatoken === undefined) return { since: 0, ...now }
  if (deltatoken === 'latest') return { since: 0, ...now, isLatest: true }
  const since = /^\d{1,9}$/.test(deltatoken) ? Number(deltatoken) : 0
  return since === 0 || since > store.revision ? undefined : { since, ...now }
}

/** The items deleted after a revision. */
export function removalsSince(since: number, { store, target }: EndpointContext): readonly Json[] {
  const set = target.kind === 'many' && target.source.kind === 'set' ? target.source.name : undefined
  return store.removed
    .filter(deleted => deleted.set === set && deleted.at > since)
    .map(({ key }) => ({ ...key, '@removed': { reason: 'deleted' } }))
}
