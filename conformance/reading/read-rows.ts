import type { QueryOptions } from '../../runtime/query/index.js'
import { describeAnswer } from '../rule/describe-answer.js'
import { readAsk } from '../rule/read-ask.js'
import { untold } from '../rule/untold.js'
import type { Verdict } from '../rule/verdict.js'
import { linkElsewhere } from '../session/link-elsewhere.js'
import type { Listing } from '../session/listing.js'
import type { ListLimit, Session } from '../session/session.js'
import { constructsAsked } from './constructs-asked.js'
import type { QuerySite } from './list-sites.js'
import { refusedVerdict } from './refused-verdict.js'

/** A list that was read, or why there is nothing to compare. */
export type Reading =
  | { readonly kind: 'read'; readonly listing: Listing }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** What has more pages is cut, and says so. */
const mostPages = 60

/**
 * Reads a list with these options, as far as the limit. What ends a list early is the matter of the rules of paging; here
 * it leaves nothing to compare.
 */
export async function readRows(
  site: QuerySite,
  session: Session,
  options: QueryOptions,
  limit: ListLimit = { pages: mostPages },
): Promise<Reading> {
  const constructs = constructsAsked(options)
  if (!session.support.mayAsk(site, constructs)) return ended({ kind: 'unsupported', constructs })
  const listing = await session.list(readAsk(site, options), limit)
  const last = listing.pages.at(-1)
  switch (listing.end) {
    case 'whole':
    case 'cut':
      return { kind: 'read', listing }
    case 'refused':
      return ended(
        last === undefined ? { kind: 'inconclusive', why: 'no answer' } : refusedVerdict(last, options, site, session),
      )
    case 'endless':
      return ended({ kind: 'inconclusive', why: 'the next links do not come to an end' })
    case 'elsewhere':
      return ended({ kind: 'inconclusive', why: linkElsewhere })
    default: {
      const nothing = last === undefined ? undefined : untold(last)
      const shown = last === undefined ? 'no answer' : describeAnswer(last)
      return ended(nothing ?? { kind: 'inconclusive', why: `a page of the list is none: ${shown}` })
    }
  }
}

function ended(verdict: Verdict): Reading {
  return { kind: 'ended', verdict }
}
