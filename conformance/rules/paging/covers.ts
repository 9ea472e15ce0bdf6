import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { openTo } from '../../reading/choice-of.js'
import { keysShown, repeated } from '../../reading/keys-shown.js'
import { listSites, type QuerySite, querySite } from '../../reading/list-sites.js'
import { pagedFirst, pagingOptions } from '../../reading/paging-options.js'
import { queryText } from '../../reading/query-text.js'
import { constructsOf } from '../../rule/constructs-of.js'
import { readAsk } from '../../rule/read-ask.js'
import type { Rule } from '../../rule/rule.js'
import type { Verdict } from '../../rule/verdict.js'
import type { Listing } from '../../session/listing.js'
import { pageOf } from '../../session/page-of.js'
import type { Session } from '../../session/session.js'
import { unfinished } from './unfinished.js'

/** A walk that asks for more pages than this is not worth its requests. */
const mostPages = 40
/** Pages after which a walk is given up, when it is not known how many there are: of few items they show that it has no end. */
const mostUnknown = 200

/** PAG-COVER, PAG-END, PAG-SIZE. */
export const pagingCovers: Rule = {
  kind: 'asking',
  id: 'paging-covers',
  area: 'paging',
  statement: 'The pages of a list hold each of its items once, and come to an end.',
  advice:
    'Who follows the next links sees items twice, or never sees some. Let a link carry the position of the last item ' +
    'returned, in an order that is total: the key as the last criterion.',
  clauses: ['paging.links', 'envelope.nextLink', 'collection.list', 'top.maximum'],
  covers: ['top', 'nextLink'],
  severity: 'must',
  writes: false,
  cost: 3,
  weight: 9,
  sites: session =>
    pagedFirst(
      listSites(session, () => true),
      session,
    ),
  cases: (site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    const length = snapshot?.rows.length ?? 0
    if (found === undefined || (snapshot !== undefined && length < 2)) return { thin: 'a list of at least two items' }
    const { top } = found.endpoint.query
    // A list that could not be read to its end may be one that has none.
    if (snapshot === undefined) {
      return { planned: [{ options: top.support === 'none' ? {} : { top: Math.min(5, top.max ?? 5) } }] }
    }
    const sized = pagingOptions(found, session, 3)
    const byDefault = top.default !== undefined && length > top.default && length / top.default <= mostPages
    const planned: readonly QueryOptions[] = [
      ...(sized === undefined ? [] : [sized]),
      ...(byDefault && sized?.top !== undefined ? [{}] : []),
      ...(top.support === 'none' ? [] : [{ top: 1 + Math.min(length, (top.max ?? length) - 1) }]),
    ]
    const smallest = Math.ceil(length / mostPages)
    const largest = Math.min(length, top.max ?? length)
    return {
      planned: planned.map(options => ({ options })),
      ...(top.support === 'none' || smallest > largest
        ? {}
        : { random: fc.integer({ min: smallest, max: largest }).map(size => ({ options: { top: size } })) }),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    const constructs = constructsOf(options)
    if (!session.support.mayAsk(site, constructs)) return { kind: 'unsupported', constructs }
    const pages = session.snapshot(site) === undefined ? mostUnknown : mostPages + 20
    const listing = await session.list(readAsk(site, options), { pages })
    return unfinished(listing, options, found, session) ?? compared(listing, options, found, session)
  },
}

function compared(listing: Listing, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const { pages, rows } = listing
  const answers = [...pages.slice(-1), ...pages.slice(0, -1)].slice(0, 4)
  const keys = keysShown(rows, site.type)
  if (keys === undefined) return { kind: 'inconclusive', why: 'a row does not show its key' }
  const text = queryText(options)
  const twice = repeated(keys)
  if (twice.length > 0) {
    return {
      kind: 'fail',
      finding: {
        message: `Items come more than once over the pages of ${text}.`,
        expected: 'each item once',
        received: `${keys.length} items, ${new Set(keys).size} of them different, on ${pages.length} pages`,
        surplus: twice,
        answers,
        features: ['nextLink', 'repeated'],
      },
    }
  }
  const { top } = options
  const longest = Math.max(...pages.map(page => pageOf(page)?.rows.length ?? 0))
  if (top !== undefined && longest > top) {
    return {
      kind: 'fail',
      finding: {
        message: `A page of ${text} has more items than $top allows.`,
        expected: `at most ${top} items on a page`,
        received: `a page of ${longest} items`,
        answers,
        features: ['nextLink', 'top'],
      },
    }
  }
  const snapshot = session.snapshot(site)
  if (snapshot?.complete !== true || listing.end === 'cut') return { kind: 'pass', trivial: pages.length < 2 }
  const meaning = openTo(session, 'topMeaning', 'total')
  const shown = new Set(keys)
  const missing = [...snapshot.byKey.keys()].filter(key => !shown.has(key))
  const surplus = keys.filter(key => !snapshot.byKey.has(key))
  const isCut = top !== undefined && top < snapshot.byKey.size
  const isWhole = missing.length === 0
  const isLimited = isCut && keys.length === top
  const isRight = isCut ? (meaning.may('pageSize') && isWhole) || (meaning.may('total') && isLimited) : isWhole
  if (surplus.length === 0 && isRight) return { kind: 'pass', trivial: pages.length < 2 && isCut }
  const whole = `all ${snapshot.byKey.size} items`
  return {
    kind: 'fail',
    finding: {
      message: isRight
        ? `The pages of ${text} hold items that the list does not have.`
        : `Following the next links of ${text} does not lead to all items.`,
      expected:
        !isCut || meaning.does('pageSize')
          ? whole
          : meaning.does('total')
            ? `${top} items`
            : `${whole}, or the first ${top}`,
      received: `${keys.length} items on ${pages.length} pages`,
      missing: isRight ? [] : missing,
      surplus,
      answers,
      features: ['nextLink', isRight ? 'surplus' : 'missing'],
    },
  }
}
