import { isRow } from '../json.js'

/** How deep the positions of a geometry are nested: a point is one position, a line an array of positions. */
const depths: ReadonlyMap<string, number> = new Map([
  ['Point', 0],
  ['LineString', 1],
  ['MultiPoint', 1],
  ['Polygon', 2],
  ['MultiLineString', 2],
  ['MultiPolygon', 3],
])

const maxNesting = 4

/**
 * Whether a value is the GeoJSON of a spatial type.
 *
 * @param name the primitive type: `GeographyPoint`, or `Geography` for any shape
 * @see OData JSON Format 4.01, 7.1; RFC 7946, 3.1
 */
export function isGeoJson(value: unknown, name: string): boolean {
  const shape = name.replace(/^Geo(?:graphy|metry)/, '')
  return isShape(value, shape === 'Collection' ? 'GeometryCollection' : shape, 0)
}

/** @param shape empty for any */
function isShape(value: unknown, shape: string, nesting: number): boolean {
  if (!isRow(value) || typeof value['type'] !== 'string' || nesting > maxNesting) return false
  const { type } = value
  if (shape !== '' && type !== shape) return false
  if (type === 'GeometryCollection') {
    const { geometries } = value
    return Array.isArray(geometries) && geometries.every(each => isShape(each, '', nesting + 1))
  }
  const depth = depths.get(type)
  return depth !== undefined && isPositions(value['coordinates'], depth)
}

function isPositions(value: unknown, depth: number): boolean {
  if (!Array.isArray(value)) return false
  if (depth > 0) return value.every(each => isPositions(each, depth - 1))
  return value.length >= 2 && value.length <= 4 && value.every(each => Number.isFinite(each))
}
