import type { QueryOptions } from '../../runtime/query/index.js'
import type { QueryCapabilities } from '../../spec/language/index.js'
import { selectItems } from '../lists/properties.js'
import { requestedConstructs } from '../lists/read-rows.js'
import { listSites, type QuerySite } from '../lists/related-items.js'
import { readRequest } from '../rule/query-request.js'
import { isRejection } from '../rule/response.js'
import type { Listing, Session } from '../session/session.js'

const listingsByRun = new WeakMap<object, Map<string, Promise<Listing>>>()

/**
 * Reads the first pages of a list. One response reveals several choices, so a repeated query is answered from the
 * cache. Records which options the service supports.
 */
export function probeList(site: QuerySite, session: Session, options: QueryOptions, pages: number): Promise<Listing> {
  const known = listingsByRun.get(session.run) ?? new Map<string, Promise<Listing>>()
  listingsByRun.set(session.run, known)
  const name = JSON.stringify([site.id, options, pages])
  const found = known.get(name)
  if (found !== undefined) return found
  const listing = sendProbe(site, session, options, pages)
  known.set(name, listing)
  return listing
}

async function sendProbe(site: QuerySite, session: Session, options: QueryOptions, pages: number): Promise<Listing> {
  const listing = await session.list(readRequest(site, options), { pages })
  const [first] = listing.pages
  const constructs = requestedConstructs(options)
  if (first !== undefined && isRejection(first, session)) session.support.recordRejected(site, constructs)
  else if (first?.status === 200) session.support.recordAccepted(site, constructs)
  return listing
}

export function hasPages({ end }: Listing): boolean {
  return end === 'complete' || end === 'truncated'
}

/** Lists of different endpoints that allow something and have rows, the most informative first. */
export function probeSites(
  session: Session,
  allows: (query: QueryCapabilities) => boolean,
  rows: number,
  most = 2,
): readonly QuerySite[] {
  const seen = new Set<string>()
  return listSites(session, allows)
    .filter(site => {
      const length = session.snapshot(site)?.rows.length ?? 0
      if (length < rows || seen.has(site.endpoint.name)) return false
      seen.add(site.endpoint.name)
      return true
    })
    .slice(0, most)
}

/** The first page of a list without any options. */
export interface DefaultListProbe {
  readonly site: QuerySite
  readonly listing: Listing
}

/** Prefers a list that is longer than its default page, or else the most informative one. */
export async function probeDefaultList(session: Session): Promise<DefaultListProbe | undefined> {
  const sites = listSites(session, () => true)
  const size = (site: QuerySite): number => session.snapshot(site)?.rows.length ?? 0
  const long = sites.find(site => size(site) > (site.endpoint.query.top.default ?? Number.POSITIVE_INFINITY))
  const site = long ?? sites.find(each => size(each) > 0)
  if (site === undefined) return undefined
  const listing = await probeList(site, session, {}, 1)
  return hasPages(listing) ? { site, listing } : undefined
}

/** The first two pages of a list, and their query. */
interface PagedProbe {
  readonly site: QuerySite
  readonly options: QueryOptions & { readonly top: number }
  readonly listing: Listing
}

/** One page of a list with one selected property. */
export interface SelectedProbe {
  readonly site: QuerySite
  readonly name: string
  readonly listing: Listing
}

const pageSize = 2

/**
 * Small pages of up to two lists, with the count. Together they reveal what `$top` means, the form of next links, and
 * which pages have the count. If the service does not count, the query omits `$count`.
 */
export async function probePages(session: Session): Promise<readonly PagedProbe[]> {
  const probes: PagedProbe[] = []
  for (const site of probeSites(session, ({ top }) => top.support !== 'none', pageSize + 1)) {
    for (const options of pagedQueries(site)) {
      const listing = await probeList(site, session, options, 2)
      if (!hasPages(listing)) continue
      probes.push({ site, options, listing })
      break
    }
    // Query another list only if the first one has a single page.
    if (probes.some(({ listing }) => listing.pages.length > 1)) break
  }
  return probes
}

function pagedQueries(site: QuerySite): readonly PagedProbe['options'][] {
  const top = { top: pageSize }
  return site.endpoint.query.count === 'none' ? [top] : [{ count: true, ...top }, top]
}

/**
 * One page with a single selected property that is not the key. The query is separate: a service that loses its next
 * links without the key must not distort what `$top` means.
 */
export async function probeSelection(session: Session): Promise<readonly SelectedProbe[]> {
  const probes: SelectedProbe[] = []
  for (const site of probeSites(session, ({ select }) => select !== 'none', 1)) {
    const keys = site.type.key.map(({ name }) => name)
    const name = site.type.properties.find(each => !keys.includes(each.name) && each.returned === 'byDefault')?.name
    if (name === undefined) continue
    const top = site.endpoint.query.top.support === 'none' ? {} : { top: pageSize }
    const listing = await probeList(site, session, { select: selectItems([name]), ...top }, 1)
    if (hasPages(listing)) probes.push({ site, name, listing })
    if (listing.rows.length >= pageSize) break
  }
  return probes
}
