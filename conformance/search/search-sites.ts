import type { SearchCapabilities } from '../../spec/language/index.js'
import { listSites } from '../reading/list-sites.js'
import type { Session } from '../session/session.js'
import { firstOfEach } from '../site/first-of-each.js'
import type { Site } from '../site/site.js'

/** Lists that can be searched: the most telling of each endpoint, then the others. */
export function searchSites(
  session: Session,
  allows: (search: SearchCapabilities) => boolean = () => true,
): readonly Site[] {
  const all = listSites(session, ({ search }) => search.support !== 'none' && allows(search))
  return [...new Set([...firstOfEach(all), ...all])]
}

/** What a site allows of searches; absent where there are none. */
export function searchOf({ endpoint }: Site): SearchCapabilities | undefined {
  if (endpoint.kind !== 'collection' || endpoint.query === undefined) return undefined
  return endpoint.query.search.support === 'none' ? undefined : endpoint.query.search
}
