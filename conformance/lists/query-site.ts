import type { QueryOptions } from '../../runtime/query/index.js'
import type { EntityType, QueryCapabilities, ReadEndpoint } from '../../spec/language/index.js'
import { permittedValues } from '../choices/choices.js'
import type { Site } from '../discover/site.js'
import type { Session } from '../session/session.js'

/** A site of a list, or of an item, with what it allows. */
export interface QuerySite extends Site {
  readonly endpoint: ReadEndpoint & { readonly query: QueryCapabilities }
  readonly type: EntityType
}

/** From here on, more rows make a list no more telling, only dearer. */
const maxUsefulRows = 100

/** Lists that allow something, the most telling first: read as a whole, with many rows. */
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

/** Single items that allow something, in the order of the spec. */
export function itemSites(session: Session, allows: (query: QueryCapabilities) => boolean): readonly QuerySite[] {
  return sitesOf(session, 'item', allows)
}

/** The site with what it allows; absent when it is none that is queried. */
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
 * What makes a whole list come in one page, or in as few as may be: nothing where it fits into a page as it is, else the
 * `$top` that holds all of it.
 */
export function onePageOptions(site: QuerySite, session: Session): QueryOptions {
  const { top } = site.endpoint.query
  const size = session.snapshot(site)?.rows.length ?? 0
  if (top.support === 'none' || (top.default !== undefined && size <= top.default)) return {}
  return { top: Math.max(1, Math.min(size, top.max ?? size)) }
}

/**
 * Options that make a list come in several pages, as far as that can be told: a small `$top` where it is the size of a
 * page, none where the list is longer than a page is by default. Absent when neither is so.
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

/** Those that can be made to come in several pages first. */
export function pagedFirst(sites: readonly QuerySite[], session: Session): readonly QuerySite[] {
  const isPaged = (site: QuerySite): boolean => pagingOptions(site, session, 3) !== undefined
  return [...sites.filter(isPaged), ...sites.filter(site => !isPaged(site))]
}

/** Where `$top` may limit the whole list and not its pages, as many items as it asked for need not be all. */
export function mayBeTruncated(
  length: number,
  { top }: QueryOptions,
  session: Pick<Session, 'service' | 'choices'>,
): boolean {
  return length === top && permittedValues(session, 'topMeaning', 'total').includes('total')
}
