import { isSamePath, type ReadEndpoint, type Service } from '../../../spec/language/index.js'
import { keyOf, type Site, type Snapshot, siteOf } from '../../discover/site.js'

/** The endpoint that reads an item of a collection by its key. */
export function itemEndpointOf(
  { endpoint }: Site,
  { endpoints }: Pick<Service, 'endpoints'>,
): ReadEndpoint | undefined {
  if (endpoint.kind !== 'collection') return undefined
  for (const each of endpoints) {
    if (each.kind !== 'item' || each.resolved.length !== endpoint.resolved.length + 1) continue
    if (each.resolved.at(-1)?.kind !== 'key' || !isSamePath(each.resolved.slice(0, -1), endpoint.resolved)) continue
    return each
  }
  return undefined
}

/** The site of an item, given its key in the format of `keyOf`. */
export function itemSiteOf(snapshot: Snapshot, key: string, endpoint: ReadEndpoint): Site | undefined {
  const row = snapshot.byKey.get(key)
  return row === undefined ? undefined : siteOf(endpoint, { site: snapshot.site, row })
}

/** The keys of a collection. Keys that are hard to encode in a URL come first: with reserved or non-ASCII characters. */
export function keysToTry({ rows, site }: Snapshot): readonly string[] {
  const { type } = site
  if (type === undefined) return []
  const keys = rows.map(row => keyOf(row, type)).filter(key => key !== undefined)
  const isHard = (key: string): boolean => /[^A-Za-z0-9_.~-]/.test(key)
  return [...keys.filter(isHard), ...keys.filter(key => !isHard(key))]
}
