import type { QueryOptions } from '../../runtime/query/index.js'
import type { Session } from '../session/session.js'
import type { QuerySite } from './list-sites.js'

/**
 * What makes a whole list come in one page, or in as few as may be: nothing where it fits into a page as it is, else the
 * `$top` that holds all of it.
 */
export function onePage(site: QuerySite, session: Session): QueryOptions {
  const { top } = site.endpoint.query
  const size = session.snapshot(site)?.rows.length ?? 0
  if (top.support === 'none' || (top.default !== undefined && size <= top.default)) return {}
  return { top: Math.max(1, Math.min(size, top.max ?? size)) }
}
