import type { QueryCapabilities } from '../../../spec/language/index.js'
import { listSites, type QuerySite } from '../../reading/list-sites.js'
import type { Session } from '../../session/session.js'

/** Lists of different endpoints that allow something and have rows, the most telling first: two are witnesses enough. */
export function witnessSites(
  session: Session,
  allows: (query: QueryCapabilities) => boolean,
  rows: number,
): readonly QuerySite[] {
  const seen = new Set<string>()
  return listSites(session, allows)
    .filter(site => {
      const length = session.snapshot(site)?.rows.length ?? 0
      if (length < rows || seen.has(site.endpoint.name)) return false
      seen.add(site.endpoint.name)
      return true
    })
    .slice(0, 2)
}
