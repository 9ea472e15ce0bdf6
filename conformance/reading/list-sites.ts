import type { EntityType, QueryCapabilities, ReadEndpoint } from '../../spec/language/index.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'

/** A site of a list, or of an item, with what it allows. */
export interface QuerySite extends Site {
  readonly endpoint: ReadEndpoint & { readonly query: QueryCapabilities }
  readonly type: EntityType
}

/** From here on, more rows make a list no more telling, only dearer. */
const enough = 100

/** Lists that allow something, the most telling first: read as a whole, with many rows. */
export function listSites(session: Session, allows: (query: QueryCapabilities) => boolean): readonly QuerySite[] {
  const worth = (site: Site): number => {
    const snapshot = session.snapshot(site)
    if (snapshot === undefined) return -1
    return (snapshot.complete ? enough : 0) + Math.min(snapshot.rows.length, enough)
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
