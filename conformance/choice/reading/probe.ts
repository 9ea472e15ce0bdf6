import type { QueryOptions } from '../../../runtime/query/index.js'
import { constructsAsked } from '../../reading/constructs-asked.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { readAsk } from '../../rule/read-ask.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Listing } from '../../session/listing.js'
import type { Session } from '../../session/session.js'

const asked = new WeakMap<Session, Map<string, Promise<Listing>>>()

/**
 * The first pages of a list with these options. One answer shows several choices, so that what was asked before in the same
 * run is not asked again. What it shows of support is noted.
 */
export function probe(site: QuerySite, session: Session, options: QueryOptions, pages: number): Promise<Listing> {
  const known = asked.get(session) ?? new Map<string, Promise<Listing>>()
  asked.set(session, known)
  const name = JSON.stringify([site.id, options, pages])
  const found = known.get(name)
  if (found !== undefined) return found
  const listing = send(site, session, options, pages)
  known.set(name, listing)
  return listing
}

async function send(site: QuerySite, session: Session, options: QueryOptions, pages: number): Promise<Listing> {
  const listing = await session.list(readAsk(site, options), { pages })
  const [first] = listing.pages
  const constructs = constructsAsked(options)
  if (first !== undefined && isRefusal(first, session)) session.support.refused(site, constructs)
  else if (first?.status === 200) session.support.accepted(site, constructs)
  return listing
}

/** Whether pages came. */
export function isRead({ end }: Listing): boolean {
  return end === 'whole' || end === 'cut'
}
