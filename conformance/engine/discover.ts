import type { Endpoint, Service } from '../../spec/language/index.js'
import type { Session } from '../session/session.js'
import { type Harvest, harvestSite } from '../site/harvest-site.js'
import { parentRows } from '../site/parent-rows.js'
import type { Site } from '../site/site.js'
import { siteOf } from '../site/site-of.js'

/** The addresses of a service, and what its collections hold. */
export interface Discovery {
  readonly sites: readonly Site[]
  readonly harvests: ReadonlyMap<string, Harvest>
  /** Why sites, or endpoints, could not be read, by id or name. */
  readonly unread: ReadonlyMap<string, string>
}

/** Of an endpoint below items: addresses that are tried, and collections with rows in them after which no more are. */
const triesEach = 4
const filledEach = 2
/** Addresses of items that are kept of each endpoint. */
const itemsEach = 2

/** Finds every endpoint's addresses by reading the collections that lead to them. */
export async function discover(
  service: Service,
  session: Pick<Session, 'list' | 'requestsLeft'>,
  maxRows: number,
  onSite: (site: Site) => void,
): Promise<Discovery> {
  const harvests = new Map<string, Harvest>()
  const unread = new Map<string, string>()
  const found = new Map<Endpoint, readonly Site[]>()
  /** Reads until enough of them have rows; keeps those, and one that has none. */
  const readCollections = async (sites: readonly Site[]): Promise<readonly Site[]> => {
    const filled: Site[] = []
    const others: Site[] = []
    for (const site of sites) {
      if (filled.length >= filledEach) break
      onSite(site)
      const harvest = await harvestSite(site, session, maxRows)
      if ('snapshot' in harvest) harvests.set(site.id, harvest)
      else unread.set(site.id, `GET ${site.path} answered ${harvest.pages.at(-1)?.status ?? 0}`)
      if ('snapshot' in harvest && harvest.snapshot.rows.length > 0) filled.push(site)
      else others.push(site)
    }
    return [...filled, ...others.slice(0, 1)]
  }
  for (const endpoint of inReach(service)) {
    const sites = addressesOf(endpoint, harvests)
    if (sites.length === 0) unread.set(endpoint.name, 'no item was found that its path could lead through')
    found.set(endpoint, endpoint.kind === 'collection' ? await readCollections(sites) : sites)
  }
  return { sites: service.endpoints.flatMap(endpoint => found.get(endpoint) ?? []), harvests, unread }
}

/** Collections first, the nearest to the root first: each is read before those that it leads to. */
function inReach({ endpoints }: Service): readonly Endpoint[] {
  const depth = ({ kind, keys, resolved }: Endpoint): number =>
    kind === 'collection' ? keys.length * 100 + resolved.length : 1_000_000
  return endpoints
    .map((endpoint, index) => ({ endpoint, index }))
    .sort((a, b) => depth(a.endpoint) - depth(b.endpoint) || a.index - b.index)
    .map(({ endpoint }) => endpoint)
}

function addressesOf(endpoint: Endpoint, harvests: ReadonlyMap<string, Harvest>): readonly Site[] {
  if (endpoint.keys.length === 0) {
    const only = siteOf(endpoint)
    return only === undefined ? [] : [only]
  }
  const snapshots = [...harvests.values()].map(({ snapshot }) => snapshot)
  const rows = parentRows(endpoint, snapshots)
  const wanted = endpoint.kind === 'collection' ? triesEach : itemsEach
  const sites = new Map<string, Site>()
  for (const index of spread(rows.length, wanted)) {
    const row = rows[index]
    const site = row === undefined ? undefined : siteOf(endpoint, row)
    if (site !== undefined) sites.set(site.id, site)
  }
  return [...sites.values()]
}

/** Indices from the start, the end and between. */
function spread(length: number, count: number): readonly number[] {
  if (length <= count) return Array.from({ length }, (_, index) => index)
  return Array.from({ length: count }, (_, index) => Math.floor((index * length) / count))
}
