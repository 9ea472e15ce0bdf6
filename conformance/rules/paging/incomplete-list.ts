import type { QueryOptions } from '../../../runtime/query/index.js'
import { queryText, rejectedVerdict } from '../../lists/read-rows.js'
import type { QuerySite } from '../../lists/related-items.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { Verdict } from '../../rule/rule.js'
import { crossOriginLink, type Listing, type Session } from '../../session/session.js'

/** The verdict on a listing that did not end properly. Undefined if it did. */
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
    return {
      kind: 'fail',
      finding: {
        message: 'The next links form a cycle: the list does not end.',
        expected: 'a last page without @odata.nextLink',
        received: `page ${listing.pages.length} has a next link that was followed before, or has no new items`,
        answers: [last],
        features: ['nextLink', 'endless'],
      },
    }
  }
  if (listing.end === 'crossOrigin') return { kind: 'inconclusive', why: crossOriginLink }
  if (listing.end !== 'broken') return undefined
  const inconclusive = inconclusiveVerdict(last)
  if (inconclusive !== undefined) return inconclusive
  if (listing.pages.length === 1) return { kind: 'inconclusive', why: `no list: ${describeResponse(last)}` }
  return {
    kind: 'fail',
    finding: {
      message: `A next link of ${queryText(options)}, followed unchanged, does not return a page.`,
      expected: 'status 200 and a page of the list',
      received: describeResponse(last),
      answers: [last, ...listing.pages.slice(-2, -1)],
      features: ['nextLink', 'broken'],
    },
  }
}
