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

const size = 2

/**
 * Small pages of two lists, with one selected property that is no key and with the count: together they show what $top
 * means, how next links look, on which pages the count is, and what is left of properties that were not selected. Where a
 * service does not take all at once, less is asked for.
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
  }
  return probes
}

function queries(site: QuerySite): readonly PagedProbe['options'][] {
  const { select, count } = site.endpoint.query
  const keys = site.type.key.map(({ name }) => name)
  const name = site.type.properties.find(each => !keys.includes(each.name) && each.returned === 'byDefault')?.name
  const selected: QueryOptions = select === 'none' || name === undefined ? {} : { select: selecting([name]) }
  const counted: QueryOptions = count === 'none' ? {} : { count: true }
  const top = { top: size }
  const all = [{ ...selected, ...counted, ...top }, { ...selected, ...top }, top]
  return all.filter((each, index) => all.findIndex(other => JSON.stringify(other) === JSON.stringify(each)) === index)
}
