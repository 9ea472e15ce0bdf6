import type { NavigationProperty, ResolvedSegment } from '../../spec/language/index.js'
import type { Site } from '../site/site.js'

/** Where rows were read: at a site, or under a relation of other rows. */
export type PlaceOfRows = Site | NavigationProperty

/** Whether the keys there are unique among siblings only: contained items of two owners may have the same. */
export function isContained(place: PlaceOfRows): boolean {
  return 'endpoint' in place ? leadsIntoItems(place.endpoint.resolved) : place.contained
}

/** Whether a path goes through contained items, or ends at some. */
export function leadsIntoItems(path: readonly ResolvedSegment[]): boolean {
  return path.some(segment => segment.kind === 'navigation' && segment.property.contained)
}

/** Whether a site is that of something below the rows of a place, and of no others: where the place is known exactly. */
export function isBelow(site: Site, place: PlaceOfRows): boolean {
  if (!('endpoint' in place)) return false
  return site.path.startsWith(`${place.path}/`) || site.path.startsWith(`${place.path}(`)
}
