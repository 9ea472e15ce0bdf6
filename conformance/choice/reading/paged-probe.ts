import type { QueryOptions } from '../../../runtime/query/index.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { selecting } from '../../reading/property-path.js'
import type { Listing } from '../../session/listing.js'
import type { Session } from '../../session/session.js'
import { isRead, probe } from './probe.js'
import { witnessSites } from './witness-sites.js'

/** The first two pages of a list, and what was asked for. */
export interface PagedProbe {
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

const size = 2

/**
 * Small pages of two lists, with the count: together they show what $top means, how next links look, and on which pages the
 * count is. Where a service does not count, less is asked for.
 */
export async function pagedProbes(session: Session): Promise<readonly PagedProbe[]> {
  const probes: PagedProbe[] = []
  for (const site of witnessSites(session, ({ top }) => top.support !== 'none', size + 1)) {
    for (const options of queries(site)) {
      const listing = await probe(site, session, options, 2)
      if (!isRead(listing)) continue
      probes.push({ site, options, listing })
      break
    }
    // Another list is asked only where the first one does not go on.
    if (probes.some(({ listing }) => listing.pages.length > 1)) break
  }
  return probes
}

function queries(site: QuerySite): readonly PagedProbe['options'][] {
  const top = { top: size }
  return site.endpoint.query.count === 'none' ? [top] : [{ count: true, ...top }, top]
}

/**
 * One page with a single property selected, and not the key. It is asked for by itself: a service that loses its next links
 * without the key must not teach what $top means.
 */
export async function selectedProbes(session: Session): Promise<readonly SelectedProbe[]> {
  const probes: SelectedProbe[] = []
  for (const site of witnessSites(session, ({ select }) => select !== 'none', 1)) {
    const keys = site.type.key.map(({ name }) => name)
    const name = site.type.properties.find(each => !keys.includes(each.name) && each.returned === 'byDefault')?.name
    if (name === undefined) continue
    const top = site.endpoint.query.top.support === 'none' ? {} : { top: size }
    const listing = await probe(site, session, { select: selecting([name]), ...top }, 1)
    if (isRead(listing)) probes.push({ site, name, listing })
    if (listing.rows.length >= size) break
  }
  return probes
}
