import { isJsonObject, memberOf } from '../json-object.js'

/** Longitude and latitude in degrees, or x and y on a plane; finite. Elevations count for nothing. */
export type Position = readonly [x: number, y: number]

/** The shapes that functions take. Rings are closed: their last position is their first one. */
export type GeoShape =
  | { readonly kind: 'point'; readonly position: Position }
  | { readonly kind: 'line'; readonly positions: readonly Position[] }
  | { readonly kind: 'polygon'; readonly rings: readonly (readonly Position[])[] }

/** A shape in GeoJSON; undefined when it is another one, or none. @see RFC 7946, 3.1 */
export function geoShape(json: unknown): GeoShape | undefined {
  if (!isJsonObject(json)) return undefined
  const coordinates = memberOf(json, 'coordinates')
  switch (memberOf(json, 'type')) {
    case 'Point': {
      const position = positionOf(coordinates)
      return position === undefined ? undefined : { kind: 'point', position }
    }
    case 'LineString': {
      const positions = listOf(coordinates, positionOf)
      return positions === undefined ? undefined : { kind: 'line', positions }
    }
    case 'Polygon': {
      const rings = listOf(coordinates, ring => listOf(ring, positionOf))
      return rings === undefined ? undefined : { kind: 'polygon', rings }
    }
    default:
      return undefined
  }
}

function positionOf(json: unknown): Position | undefined {
  const [x, y]: readonly unknown[] = Array.isArray(json) ? json : []
  return isCoordinate(x) && isCoordinate(y) ? [x, y] : undefined
}

function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function listOf<Item>(json: unknown, itemOf: (item: unknown) => Item | undefined): readonly Item[] | undefined {
  if (!Array.isArray(json)) return undefined
  const items = json.map((item: unknown) => itemOf(item)).filter(item => item !== undefined)
  return items.length === json.length ? items : undefined
}
