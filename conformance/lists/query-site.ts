import type { QueryOptions } from '../../runtime/query/index.js'
import type { EntityType, QueryCapabilities, ReadEndpoint } from '../../spec/language/index.js'
import { permittedValues } from '../choices/choices.js'
import type { Site } from '../discover/site.js'
import type { Session } from '../session/session.js'

/** A site of a list or an item, with its query capabilities. */
export interface QuerySite extends Site {
  readonly endpoint: ReadEndpoint & { readonly query: QueryCapabilities }
  readonly type: EntityType
}

/** More rows do not make a list more informative, only more expensive. */
const maxUsefulRows = 100

/** Lists that support something, the most informative first: read completely, with many rows. */
export function listSites(session: Session, allows: (query: QueryCapabilities) => boolean): readonly QuerySite[] {
  const worth = (site: Site): number => {
    const snapshot = session.snapshot(site)
    if (snapshot === undefined) return -1
    return (snapshot.complete ? maxUsefulRows : 0) + Math.min(snapshot.rows.length, maxUsefulRows)
  }
  return sitesOf(session, 'collection', allows)
    .map((site, index) => ({ site, index, worth: worth(site) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .map(({ site }) => site)
}

/** Items that support something, in the order of the spec. */
export function itemSites(session: Session, allows: (query: QueryCapabilities) => boolean): readonly QuerySite[] {
  return sitesOf(session, 'item', allows)
}

/** The site with its query capabilities; absent if it has none. */
export function querySite(site: Site): QuerySite | undefined {
  return isQuerySite(site) ? site : undefined
}

function sitesOf(
  session: Session,
  kind: ReadEndpoint['kind'],
  allows: (query: QueryCapabilities) => boolean,
): readonly QuerySite[] {
  return session.sites.filter(isQuerySite).filter(({ endpoint }) => endpoint.kind === kind && allows(endpoint.query))
}

function isQuerySite(site: Site): site is QuerySite {
  const { endpoint } = site
  const isRead = endpoint.kind === 'collection' || endpoint.kind === 'item'
  return isRead && endpoint.query !== undefined && site.type !== undefined
}

/**
 * Options that return a list in one page, or in as few as possible: none if it fits the default page, otherwise the
 * `$top` that fits the list.
 */
export function onePageOptions(site: QuerySite, session: Session): QueryOptions {
  const { top } = site.endpoint.query
  const size = session.snapshot(site)?.rows.length ?? 0
  if (top.support === 'none' || (top.default !== undefined && size <= top.default)) return {}
  return { top: Math.max(1, Math.min(size, top.max ?? size)) }
}

/**
 * Options that split a list into several pages, if possible: a small `$top` if it is a page size, or none if the list
 * exceeds the default page. Absent if neither applies.
 *
 * @param pages how many
 */
export function pagingOptions(site: QuerySite, session: Session, pages: number): QueryOptions | undefined {
  const length = session.snapshot(site)?.rows.length ?? 0
  const { top } = site.endpoint.query
  if (top.support !== 'none' && permittedValues(session, 'topMeaning', 'total').includes('pageSize')) {
    if (length < 2) return undefined
    return { top: Math.min(Math.max(1, Math.ceil(length / pages)), top.max ?? length) }
  }
  return top.default !== undefined && length > top.default ? {} : undefined
}

/** Lists that can be split into pages first. */
export function pagedFirst(sites: readonly QuerySite[], session: Session): readonly QuerySite[] {
  const isPaged = (site: QuerySite): boolean => pagingOptions(site, session, 3) !== undefined
  return [...sites.filter(isPaged), ...sites.filter(site => !isPaged(site))]
}

/** If `$top` may limit the whole list rather than a page, a list of exactly `$top` items may be truncated. */
export function mayBeTruncated(
  length: number,
  { top }: QueryOptions,
  session: Pick<Session, 'service' | 'choices'>,
): boolean {
  return length === top && permittedValues(session, 'topMeaning', 'total').includes('total')
}
