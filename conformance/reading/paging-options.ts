import type { QueryOptions } from '../../runtime/query/index.js'
import type { Session } from '../session/session.js'
import { openTo } from './choice-of.js'
import type { QuerySite } from './list-sites.js'

/**
 * Options that make a list come in several pages, as far as that can be told: a small `$top` where it is the size of a
 * page, none where the list is longer than a page is by default. Absent when neither is so.
 *
 * @param pages how many
 */
export function pagingOptions(site: QuerySite, session: Session, pages: number): QueryOptions | undefined {
  const length = session.snapshot(site)?.rows.length ?? 0
  const { top } = site.endpoint.query
  if (top.support !== 'none' && openTo(session, 'topMeaning', 'total').may('pageSize')) {
    if (length < 2) return undefined
    return { top: Math.min(Math.max(1, Math.ceil(length / pages)), top.max ?? length) }
  }
  return top.default !== undefined && length > top.default ? {} : undefined
}

/** Those that can be made to come in several pages first. */
export function pagedFirst(sites: readonly QuerySite[], session: Session): readonly QuerySite[] {
  const isPaged = (site: QuerySite): boolean => pagingOptions(site, session, 3) !== undefined
  return [...sites.filter(isPaged), ...sites.filter(site => !isPaged(site))]
}
