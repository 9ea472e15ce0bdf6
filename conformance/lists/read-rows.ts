import { printQueryOptions, type QueryOptions } from '../../runtime/query/index.js'
import type { EntityType, QueryCapabilities } from '../../spec/language/index.js'
import { keyOf, type Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { isRow, type Row } from '../json.js'
import { constructsOf, readRequest } from '../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../rule/response.js'
import { failure, type Verdict } from '../rule/verdict.js'
import { versionedCache } from '../session/data-versions.js'
import { crossOriginLink, type Listing, type ListLimit, pageOf, type Session } from '../session/session.js'
import { pathNames } from './properties.js'
import type { QuerySite } from './related-items.js'

/** A list, or the verdict if there is nothing to compare. */
type ListResult =
  | { readonly kind: 'read'; readonly listing: Listing }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** A longer list is truncated. */
const maxPages = 60

/**
 * Reads a list with these options, up to the limit. A list that ends early concerns the paging rules; here there is
 * nothing to compare.
 */
export async function readRows(
  site: QuerySite,
  session: Session,
  options: QueryOptions,
  limit: ListLimit = { pages: maxPages },
): Promise<ListResult> {
  const constructs = requestedConstructs(options)
  if (!session.support.maySend(site, constructs)) return ended({ kind: 'unsupported', constructs })
  const listing = await session.list(readRequest(site, options), limit)
  const unread = listFailure(listing, last => rejectedVerdict(last, options, site, session))
  return unread === undefined ? { kind: 'read', listing } : ended(unread)
}

/**
 * The verdict if a list could not be read; absent if it was read up to the limit.
 *
 * @param rejected the verdict on an error response
 */
export function listFailure(
  { end, pages }: Listing,
  rejected: (response: TestResponse) => Verdict,
): Verdict | undefined {
  const last = pages.at(-1)
  if (last === undefined) return { kind: 'inconclusive', why: 'no response' }
  switch (end) {
    case 'complete':
    case 'truncated':
      return undefined
    case 'rejected':
      return rejected(last)
    case 'endless':
      return { kind: 'inconclusive', why: 'the next links do not end' }
    case 'crossOrigin':
      return { kind: 'inconclusive', why: crossOriginLink }
    case 'broken':
      return (
        inconclusiveVerdict(last) ?? {
          kind: 'inconclusive',
          why: `a page of the list is malformed: ${describeResponse(last)}`,
        }
      )
  }
}

/** The verdict of the paging rules on a listing that did not end properly. Undefined if it did. */
export function incompleteListVerdict(
  listing: Listing,
  options: QueryOptions,
  site: QuerySite,
  session: Session,
): Verdict | undefined {
  const last = listing.pages.at(-1)
  if (last === undefined) return { kind: 'inconclusive', why: 'no response' }
  if (listing.end === 'rejected') return rejectedVerdict(last, options, site, session)
  if (listing.end === 'endless') {
    return failure({
      message: 'The next links form a cycle: the list does not end.',
      expected: 'a last page without @odata.nextLink',
      received: `page ${listing.pages.length} has a next link that was followed before, or has no new items`,
      answers: [last],
      features: ['nextLink', 'endless'],
    })
  }
  if (listing.end === 'crossOrigin') return { kind: 'inconclusive', why: crossOriginLink }
  if (listing.end !== 'broken') return undefined
  const inconclusive = inconclusiveVerdict(last)
  if (inconclusive !== undefined) return inconclusive
  if (listing.pages.length === 1) return { kind: 'inconclusive', why: `no list: ${describeResponse(last)}` }
  return failure({
    message: `A next link of ${queryText(options)}, followed unchanged, does not return a page.`,
    expected: 'status 200 and a page of the list',
    received: describeResponse(last),
    answers: [last, ...listing.pages.slice(-2, -1)],
    features: ['nextLink', 'broken'],
  })
}

function ended(verdict: Verdict): ListResult {
  return { kind: 'ended', verdict }
}

/** The verdict on a rejected query. It is a violation only if the spec requires an answer. */
export function rejectedVerdict(
  response: TestResponse,
  options: QueryOptions,
  site: QuerySite,
  session: Session,
): Verdict {
  const nothing = inconclusiveVerdict(response)
  if (nothing !== undefined) return nothing
  if (!isRejection(response, session)) {
    return { kind: 'inconclusive', why: `${queryText(options)} returned ${describeResponse(response)}` }
  }
  const constructs = requestedConstructs(options)
  if (!isDemanded(options, site.endpoint.query, session) || isOnlyElsewhere(site, session))
    return { kind: 'unsupported', constructs }
  return failure({
    message: `It rejected ${queryText(options)}, which every service of this interface must support.`,
    expected: 'status 200',
    received: describeResponse(response),
    answers: [response],
    features: ['refused', ...Object.keys(options).sort()],
  })
}

/** Whether an endpoint has lists, but not below this item: only folders have children. */
function isOnlyElsewhere(site: QuerySite, { sites, snapshot }: Session): boolean {
  const isRead = (each: Site): boolean => snapshot(each) !== undefined
  return !isRead(site) && sites.some(each => each.endpoint === site.endpoint && isRead(each))
}

/**
 * Whether every service must answer these options: each one is `required`, and so may be their combination. Details for
 * which the spec declares no support, such as options nested in `$expand`, are not required.
 */
export function isDemanded(
  options: QueryOptions,
  query: QueryCapabilities,
  { service, choices }: Pick<Session, 'service' | 'choices'>,
): boolean {
  const names = Object.keys(options)
  const combinations = service.open.find(({ name }) => name === 'optionCombinations')
  const mayLimit = combinations !== undefined && String(choices.get('optionCombinations')) !== 'all'
  if (names.length > 1 && mayLimit) return false
  return names.every(name => {
    switch (name) {
      case 'select':
        // Only services of version 4.01 have options in `$select`.
        return query.select === 'required' && options.select?.every(item => item.options === undefined) === true
      case 'skip':
      case 'count':
        return query[name] === 'required'
      case 'top':
        return isTopDemanded(options.top, query)
      case 'orderby':
        return isOrderbyDemanded(options, query)
      case 'expand':
        return isExpandDemanded(options, query)
      case 'compute':
        return query.compute === 'required'
      case 'apply':
        return query.apply?.support === 'required' && isApplyDemanded(options)
      default:
        return false
    }
  })
}

function isTopDemanded(top: number | undefined, { top: allowed }: QueryCapabilities): boolean {
  if (top === undefined || allowed.support !== 'required') return false
  return top >= Math.max(allowed.min, 1) && (allowed.max === undefined || top <= allowed.max)
}

function isOrderbyDemanded({ orderby = [] }: QueryOptions, { orderby: allowed }: QueryCapabilities): boolean {
  const { support, only, properties, maxKeys } = allowed
  if (support !== 'required' || orderby.length > (maxKeys ?? 1)) return false
  return orderby.every(item => {
    const name = pathNames(item)?.join('/')
    if (name === undefined) return false
    if (Object.hasOwn(properties, name)) return properties[name] === 'required'
    return only === undefined ? !name.includes('/') : only.includes(name)
  })
}

function isExpandDemanded({ expand = [] }: QueryOptions, { expand: allowed }: QueryCapabilities): boolean {
  if (allowed.support !== 'required' || expand.length > 1) return false
  return expand.every(({ path, options }) => {
    const name = path.join('/')
    const isRequired = Object.hasOwn(allowed.relations, name) && allowed.relations[name] === 'required'
    return isRequired && Object.keys(options ?? {}).length === 0
  })
}

/** Expressions in transformations may use what a filter may use, of which a service need not support all. */
function isApplyDemanded({ apply = [] }: QueryOptions): boolean {
  return apply.every(({ kind }) => kind !== 'filter' && kind !== 'compute')
}

/** The constructs of a query. `$top=0` is a construct of its own, so that rejecting it does not affect other values. */
export function requestedConstructs(options: QueryOptions): readonly string[] {
  const constructs = constructsOf(options)
  return options.top === 0 ? [...constructs, 'top.zero'] : constructs
}

/** The options as text: `$orderby=name desc&$top=3`, or `no options`. */
export function queryText(options: QueryOptions): string {
  const text = printQueryOptions(options)
  return text === '' ? 'no options' : decodeURIComponent(text)
}

/** The items in a read response: those of a page, or the item itself. */
export function rowsIn(response: TestResponse, site: Site): readonly Row[] {
  if (response.status !== 200 || response.testRequest.method !== 'GET') return []
  if (site.endpoint.kind === 'collection') return pageOf(response)?.rows ?? []
  return site.endpoint.kind === 'item' && isRow(response.json) ? [response.json] : []
}

/** The keys of rows, in order; absent if a row has no key. */
export function visibleKeys(rows: readonly Row[], type: EntityType | undefined): readonly string[] | undefined {
  if (type === undefined) return undefined
  const keys = rows.flatMap(row => keyOf(row, type) ?? [])
  return keys.length === rows.length ? keys : undefined
}

/** The keys that occur more than once, each once. */
export function duplicates(keys: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return [...new Set(keys.filter(key => seen.has(key) || !seen.add(key)))]
}

/** The `@odata.count` of a page, or `@count` in the short form of OData 4.01; absent if it has none. */
export function countOf(response: TestResponse | undefined): unknown {
  const body = response?.json
  if (!isRow(body)) return undefined
  return Object.hasOwn(body, '@odata.count') ? body['@odata.count'] : body['@count']
}

const { getOrRead } = versionedCache<TestResponse>(response => inconclusiveVerdict(response) === undefined)

/** The response to a plain `GET` of an item, cached while the data are unchanged. */
export function readItem(path: string, type: EntityType | undefined, session: Session): Promise<TestResponse> {
  return getOrRead(session.dataVersion(type), path, () => session.forCache.send({ method: 'GET', path }))
}
