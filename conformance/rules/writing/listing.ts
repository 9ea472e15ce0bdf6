import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { keyOf, type Site } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { mayBeTruncated } from '../../lists/related-items.js'
import { pathTo } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { filterRequest } from '../../probes/query-keys.js'
import { readRequest } from '../../rule/query-request.js'
import { inconclusiveVerdict, isRejection } from '../../rule/response.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Listing, Session } from '../../session/session.js'
import { eventually, valueMismatches } from './created-item.js'
import type { WriteSite } from './write-site.js'

/** Larger collections are not read completely. */
const maxRows = 300
/** How many items of this run a collection has at most, besides those of its first size. */
const maxCreated = 100

/** A listing with the options that were sent. */
export interface QueriedListing extends Listing {
  readonly options: QueryOptions
}

/**
 * Whether a collection is small enough to read completely. By its first size: the rules change its items, and a check
 * that asked for the current ones could not be confirmed.
 */
export function isSmall({ examples: { total } }: WriteSite): boolean {
  return total !== undefined && total < maxRows
}

/** Reads a collection with as few pages as possible. Undefined if it is too large. */
export async function readWholeList(
  list: Site,
  site: WriteSite,
  session: Session,
): Promise<QueriedListing | undefined> {
  return isSmall(site) ? readList(list, wholeListOptions(list, site), session) : undefined
}

export async function readList(list: Site, options: QueryOptions, session: Session): Promise<QueriedListing> {
  return { ...(await session.list(readRequest(list, options))), options }
}

/** All items on one page, if possible. The page is no larger than necessary: the service may permit less than the spec assumes. */
export function wholeListOptions({ endpoint }: Site, { examples: { total = maxRows } }: WriteSite): QueryOptions {
  const top = 'query' in endpoint ? endpoint.query?.top : undefined
  return top === undefined || top.support === 'none' || top.max === undefined
    ? {}
    : { top: Math.min(top.max, total + maxCreated) }
}

/**
 * The verdict on a listing that must, or must not, contain an item. Undefined if it is right.
 *
 * @param features of the finding if the item is missing or must not be there
 */
export function listingVerdict(
  { rows, pages, end, options }: QueriedListing,
  { key, expected }: { readonly key: string | undefined; readonly expected: Row },
  isExpected: boolean,
  features: readonly string[],
  site: WriteSite,
  session: Session,
): Verdict | undefined {
  const last = pages.at(-1)
  const inconclusive = last === undefined ? undefined : inconclusiveVerdict(last)
  if (inconclusive !== undefined) return inconclusive
  if (last !== undefined && isRejection(last, session)) return { kind: 'unsupported', constructs: ['filter'] }
  if (end !== 'complete') return { kind: 'inconclusive', why: 'the list could not be read to its end' }
  if (key === undefined) return { kind: 'pass', vacuous: true }
  const row = rows.find(each => keyOf(each, site.type) === key)
  if (isExpected && row === undefined && mayBeTruncated(rows.length, options, session)) {
    return { kind: 'inconclusive', why: '$top may have truncated the list' }
  }
  const answers = pages.slice(0, 2)
  if ((row !== undefined) !== isExpected) {
    return failure({
      message: isExpected
        ? 'A list or filter does not return an existing item.'
        : 'A list or filter returns an item that was deleted or no longer matches.',
      expected: isExpected ? `the item with the key ${key}` : `no item with the key ${key}`,
      received: isExpected ? `${rows.length} other items` : 'the item',
      ...(isExpected ? { missing: [key] } : { surplus: [key] }),
      answers,
      features,
    })
  }
  const why = row === undefined || !isExpected ? [] : valueMismatches(row, expected, site, session)
  if (why.length === 0) return undefined
  return failure({
    message: 'A list does not show an item as written.',
    expected: 'the item as written',
    received: JSON.stringify(row),
    why,
    answers,
    features: [...features.slice(0, 1), 'values'],
  })
}

/** The verdict on the count of a filter that finds an item that is there, or was deleted. Undefined if it is right. */
export async function countVerdict(
  options: QueryOptions,
  expected: 0 | 1,
  list: Site,
  session: Session,
): Promise<Verdict | undefined> {
  const { endpoint } = list
  if (!('query' in endpoint) || endpoint.query === undefined || endpoint.query.count === 'none') return undefined
  return eventually(async (): Promise<Verdict | undefined> => {
    const { pages } = await readList(list, { ...options, count: true }, session)
    const [first] = pages
    const count = isRow(first?.json) ? first.json['@odata.count'] : undefined
    if (first === undefined || typeof count !== 'number' || count === expected) return undefined
    return failure({
      message: expected === 0 ? 'A count includes an item that was deleted.' : 'A count does not include a new item.',
      expected: `a count of ${expected}`,
      received: `a count of ${count}`,
      answers: [first],
      features: ['count', expected === 0 ? 'remains' : 'missing'],
    })
  }, session)
}

/** The verdict on the count of a list after a create. It is at least the number of items that the list shows. Undefined if it is right. */
export async function wholeCountVerdict(
  options: QueryOptions,
  list: Site,
  session: Session,
): Promise<Verdict | undefined> {
  const { endpoint } = list
  if (!('query' in endpoint) || endpoint.query === undefined || endpoint.query.count === 'none') return undefined
  return eventually(async (): Promise<Verdict | undefined> => {
    const { rows, pages } = await readList(list, { ...options, count: true }, session)
    const [first] = pages
    const count = isRow(first?.json) ? first.json['@odata.count'] : undefined
    if (first === undefined || typeof count !== 'number' || count >= rows.length) return undefined
    return failure({
      message: 'The count of a list is smaller than the number of its items after a create.',
      expected: `a count of at least ${rows.length}`,
      received: `a count of ${count}`,
      answers: [first],
      features: ['count', 'missing'],
    })
  }, session)
}

/** How many items have a text, as the path `/$count` says. */
export interface PathCount {
  readonly request: TestRequest
  readonly list: Site
  readonly name: string
  readonly text: string
  readonly count: number
}

/** Undefined if nothing counts the items of the list at a path, or none has the text. */
export async function countAtPath(
  name: string,
  text: string,
  list: Site,
  session: Session,
): Promise<PathCount | undefined> {
  const site = session.sites.find(({ endpoint, path }) => endpoint.kind === 'count' && path === `${list.path}/$count`)
  if (site === undefined || grammarOf(site, session) === undefined) return undefined
  const request = filterRequest(site, { filter: equalTo(name, text) })
  const count = numberIn(await session.send(request))
  return count === undefined || count === 0 ? undefined : { request, list, name, text, count }
}

function numberIn({ status, text }: TestResponse): number | undefined {
  return status === 200 && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined
}

/** The verdict if an item that has lost a text is counted by it still, although the list does not show it. Undefined if it is right. */
export async function staleCountVerdict(
  { request, list, name, text, count }: PathCount,
  session: Session,
): Promise<Verdict | undefined> {
  return eventually(async (): Promise<Verdict | undefined> => {
    const response = await session.send(request)
    if (numberIn(response) !== count) return undefined
    const { rows, end, pages } = await readList(list, { filter: equalTo(name, text) }, session)
    if (end !== 'complete' || rows.length === count) return undefined
    return failure({
      message: 'After an update, the count with a filter is the same as before, but the list is not.',
      expected: `${rows.length}, as the list shows`,
      received: String(count),
      answers: [response, ...pages.slice(0, 1)],
      features: ['countPath', 'stale'],
    })
  }, session)
}

/** The filter by one value of a string property. */
export function equalTo(name: string, value: string): Expression {
  return {
    kind: 'binary',
    operator: 'eq',
    left: pathTo([name]),
    right: { kind: 'literal', type: 'String', value },
  }
}
