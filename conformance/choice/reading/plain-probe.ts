import { listSites, type QuerySite } from '../../reading/list-sites.js'
import type { Listing } from '../../session/listing.js'
import type { Session } from '../../session/session.js'
import { isRead, probe } from './probe.js'

/** The first page of a list without any options. */
export interface PlainProbe {
  readonly site: QuerySite
  readonly listing: Listing
}

/** Of the list that is longer than its pages if there is one, else of the most telling one. */
export async function plainProbe(session: Session): Promise<PlainProbe | undefined> {
  const sites = listSites(session, () => true)
  const size = (site: QuerySite): number => session.snapshot(site)?.rows.length ?? 0
  const long = sites.find(site => size(site) > (site.endpoint.query.top.default ?? Number.POSITIVE_INFINITY))
  const site = long ?? sites.find(each => size(each) > 0)
  if (site === undefined) return undefined
  const listing = await probe(site, session, {}, 1)
  return isRead(listing) ? { site, listing } : undefined
}
