import { unfit } from './unfit.js'

const shapes = new Set([
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
])

const maxNesting = 8

/** Reads a GeoJSON geometry. @see RFC 7946, 3.1 */
export function readGeo(json: unknown, nesting: number = maxNesting): unknown {
  if (typeof json !== 'object' || json === null || !('type' in json) || nesting === 0) return unfit
  if (typeof json.type !== 'string' || !shapes.has(json.type)) return unfit
  if (json.type !== 'GeometryCollection')
    return 'coordinates' in json && isCoordinates(json.coordinates, nesting) ? json : unfit
  const parts = 'geometries' in json ? json.geometries : undefined
  return Array.isArray(parts) && parts.every(part => readGeo(part, nesting - 1) !== unfit) ? json : unfit
}

function isCoordinates(json: unknown, nesting: number): boolean {
  if (!Array.isArray(json) || nesting === 0) return false
  return json.every(part => typeof part === 'number' || isCoordinates(part, nesting - 1))
}
