import { listSites } from '../reading/list-sites.js'
import type { Session } from '../session/session.js'
import { firstOfEach } from '../site/first-of-each.js'
import type { Site } from '../site/site.js'

/** Lists that can be filtered: the most telling of each endpoint, then the others. */
export function filterSites(session: Session): readonly Site[] {
  const all = listSites(session, query => query.filter.support !== 'none')
  return [...new Set([...firstOfEach(all), ...all])]
}
