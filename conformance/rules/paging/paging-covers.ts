import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { permittedValues } from '../../choices/choices.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { duplicates, incompleteListVerdict, queryText, visibleKeys } from '../../lists/read-rows.js'
import { listSites, pagedFirst, pagingOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { type Listing, listPages, pageOf, type Session } from '../../session/session.js'

/** Listings with more pages cost too many requests. */
const maxPages = 40
/** Page limit if the length of the list is not known. For a short list, so many pages show that it does not end. */
const maxPagesOfUnknownList = 200

/** @see OData Protocol 4.01, 11.2.6.7 */
export const pagingCovers: ActiveRule = {
  kind: 'active',
  id: 'paging-covers',
  area: 'paging',
  statement: 'The pages of a list contain each item exactly once, and the pages end.',
  advice:
    'A client that follows the next links gets some items twice or misses some. Encode the position of the last returned item in the link, and use a total order: add the key as the last sort criterion.',
  aspects: ['paging.nextLink', 'collection.read', 'top.maximum'],
  covers: ['top', 'nextLink'],
  severity: 'must',
  writes: false,
  cost: 3,
  weight: 9,
  sites: session => {
    const [first, ...others] = pagedFirst(
      listSites(session, () => true),
      session,
    )
    // A list that could not be read may be endless.
    const isUnread = (site: QuerySite): boolean => session.snapshot(site) === undefined
    return first === undefined ? [] : [first, ...others.filter(isUnread), ...others.filter(site => !isUnread(site))]
  },
  cases: (site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    const length = snapshot?.rows.length ?? 0
    if (found === undefined || (snapshot !== undefined && length < 2))
      return { skipReason: 'a list of at least two items' }
    const { top } = found.endpoint.query
    // A list that could not be read to its end may be endless.
    if (snapshot === undefined) {
      return {
        planned: [
          ...(top.support === 'none' ? [] : [{ options: { top: Math.min(5, top.max ?? 5) } }]),
          { options: {} },
        ],
      }
    }
    const sized = pagingOptions(found, session, 3)
    const isShorter = session.choices.get('defaultPageSize') === 'other'
    const byDefault =
      top.default !== undefined && (isShorter || length > top.default) && length / top.default <= maxPages
    const planned: readonly QueryOptions[] = [
      ...(sized === undefined ? [] : [sized]),
      ...(sized === undefined ? [] : withSkip(sized, found, length)),
      ...(byDefault && sized?.top !== undefined ? [{}] : []),
      ...(top.support === 'none' ? [] : [{ top: 1 + Math.min(length, (top.max ?? length) - 1) }]),
    ]
    const smallest = Math.ceil(length / maxPages)
    const largest = Math.min(length, top.max ?? length)
    const [first, ...others] = planned.map(options => ({ options }))
    const atOnce = sized === undefined ? [] : [{ options: sized, variant: atTheSameTime }]
    return {
      planned: [...(first === undefined ? [] : [first]), ...atOnce, ...others],
      ...(top.support === 'none' || smallest > largest
        ? {}
        : { random: fc.integer({ min: smallest, max: largest }).map(size => ({ options: { top: size } })) }),
    }
  },
  check: async ({ options = {}, variant }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    const constructs = constructsOf(options)
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const pages = session.snapshot(site) === undefined ? maxPagesOfUnknownList : maxPages + 20
    const request = readRequest(site, options)
    const listing =
      variant === atTheSameTime
        ? await listAtTheSameTime(request, found, pages, session)
        : await session.list(request, { pages })
    // Not every item has such a list: only folders have children.
    if (session.snapshot(site) === undefined && listing.end === 'rejected')
      return { kind: 'inconclusive', why: 'the list cannot be read' }
    if (listing.end === 'crossOrigin') {
      const verdict = await otherHostVerdict(listing, found, session)
      if (verdict !== undefined) return verdict
    }
    return (
      incompleteListVerdict(listing, options, found, session) ?? compareWithSnapshot(listing, options, found, session)
    )
  },
}

/** How many other lists are read to learn to which host next links lead. */
const maxOtherLists = 3

/**
 * The verdict on a next link to another host, if another list has a complete one to the host of the service. Behind a proxy, a service may
 * know itself by another address than the one that is checked, but then all its links have that address.
 */
async function otherHostVerdict({ pages }: Listing, site: QuerySite, session: Session): Promise<Verdict | undefined> {
  const [last] = pages.slice(-1)
  const link = last && pageOf(last)?.nextLink
  if (last === undefined || link === undefined) return undefined
  const { origin: own } = new URL(last.request.url)
  const others = pagedFirst(
    listSites(session, () => true).filter(({ endpoint }) => endpoint !== site.endpoint),
    session,
  )
  for (const other of others.slice(0, maxOtherLists)) {
    const response = await session.send(readRequest(other, pagingOptions(other, session, 3)))
    const ownLink = pageOf(response)?.nextLink
    if (ownLink === undefined || !URL.canParse(ownLink) || new URL(ownLink).origin !== own) continue
    return failure({
      message: `The next link of ${site.path} leads to another host than that of ${other.path}.`,
      expected: `a link at ${own}: clients send their credentials to no other host`,
      received: link,
      answers: [last, response],
      features: ['nextLink', 'host'],
    })
  }
  return undefined
}

const atTheSameTime = 'another list at the same time'

/** Reads a list, and after each page the first page of one that begins later: what a link leads to must not depend on other requests. */
async function listAtTheSameTime(
  request: TestRequest,
  site: QuerySite,
  pages: number,
  session: Session,
): Promise<Listing> {
  const { skip, top } = site.endpoint.query
  const other = readRequest(site, skip !== 'none' ? { skip: 1 } : top.support === 'none' ? {} : { top: 1 })
  const first = await session.send(request)
  const { origin } = new URL(first.request.url)
  const send = async (each: TestRequest): Promise<TestResponse> => {
    const response = each === request ? first : await session.send(each)
    await session.send(other)
    return response
  }
  return listPages(request, send, origin, { pages })
}

/**
 * The same pages behind the first items: a next link must not forget what was skipped. If possible, one item is left for the last page,
 * which a service that looks ahead can lose.
 */
function withSkip(sized: QueryOptions, { endpoint }: QuerySite, length: number): readonly QueryOptions[] {
  const { top, skip: support } = endpoint.query
  const few = Math.min(3, Math.floor(length / 4))
  const size = sized.top ?? top.default
  const before = size === undefined || size < 2 ? 0 : (length - 1) % size
  const skip = before > 0 && before < length / 2 ? before : few
  return support === 'none' || skip === 0 ? [] : [{ ...sized, skip }]
}

function compareWithSnapshot(listing: Listing, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const { pages, rows } = listing
  const answers = [...pages.slice(-1), ...pages.slice(0, -1)].slice(0, 4)
  const keys = visibleKeys(rows, site.type)
  if (keys === undefined) return { kind: 'inconclusive', why: 'a row lacks its key' }
  const text = queryText(options)
  const twice = duplicates(keys)
  if (twice.length > 0) {
    return failure({
      message: `Items appear more than once across the pages of ${text}.`,
      expected: 'each item once',
      received: `${keys.length} items, ${new Set(keys).size} of them different, on ${pages.length} pages`,
      surplus: twice,
      answers,
      features: ['nextLink', 'repeated'],
    })
  }
  const { top } = options
  const longest = Math.max(...pages.map(page => pageOf(page)?.rows.length ?? 0))
  if (top !== undefined && longest > top) {
    return failure({
      message: `A page of ${text} has more than $top items.`,
      expected: `at most ${top} items on a page`,
      received: `a page of ${longest} items`,
      answers,
      features: ['nextLink', 'top'],
    })
  }
  const snapshot = session.snapshot(site)
  if (snapshot?.complete !== true || listing.end === 'truncated') return { kind: 'pass', vacuous: pages.length < 2 }
  const meaning = permittedValues(session, 'topMeaning', 'total')
  const shown = new Set(keys)
  const missing = [...snapshot.byKey.keys()].filter(key => !shown.has(key))
  const surplus = keys.filter(key => !snapshot.byKey.has(key))
  const { skip = 0 } = options
  const isCut = top !== undefined && top < snapshot.byKey.size - skip
  const isWhole = missing.length === skip
  const isLimited = isCut && keys.length === top
  const isRight = isCut
    ? (meaning.includes('pageSize') && isWhole) || (meaning.includes('total') && isLimited)
    : isWhole
  if (surplus.length === 0 && isRight) return { kind: 'pass', vacuous: pages.length < 2 && isCut }
  const whole = skip === 0 ? `all ${snapshot.byKey.size} items` : `${snapshot.byKey.size - skip} items`
  return failure({
    message: isRight
      ? `The pages of ${text} contain items that are not in the list.`
      : `Following the next links of ${text} does not lead to all items.`,
    expected:
      !isCut || meaning.isOnly('pageSize')
        ? whole
        : meaning.isOnly('total')
          ? `${top} items`
          : `${whole}, or the first ${top}`,
    received: `${keys.length} items on ${pages.length} pages`,
    missing: isRight ? [] : missing,
    surplus,
    answers,
    features: ['nextLink', isRight ? 'surplus' : 'missing'],
  })
}
