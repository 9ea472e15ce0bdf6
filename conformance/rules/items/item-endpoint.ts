import type { ReadEndpoint, Service } from '../../../spec/language/index.js'
import { isSamePath, keyOf, type Site, type Snapshot, siteOf } from '../../discover/site.js'

/** The endpoint that reads single items of a collection, by key; absent where there is none. */
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

/** The address of one item of a collection, by its key as `keyOf` writes it. */
export function itemSiteOf(snapshot: Snapshot, key: string, endpoint: ReadEndpoint): Site | undefined {
  const row = snapshot.byKey.get(key)
  return row === undefined ? undefined : siteOf(endpoint, { site: snapshot.site, row })
}

/**
 * Keys of a collection, those first that are hard to put into an address: with characters that mean something there, or
 * that are not ASCII.
 */
export function keysToTry({ rows, site }: Snapshot): readonly string[] {
  const { type } = site
  if (type === undefined) return []
  const keys = rows.map(row => keyOf(row, type)).filter(key => key !== undefined)
  const isHard = (key: string): boolean => /[^A-Za-z0-9_.~-]/.test(key)
  return [...keys.filter(isHard), ...keys.filter(key => !isHard(key))]
}
