import type { Random } from './random.js'

/**
 * A value of a spatial type in GeoJSON.
 *
 * @param type `GeographyPoint`, `GeometryPolygon`
 */
export function seedGeo(type: string, random: Random): unknown {
  const shape = type.replace(/^Geo(?:graphy|metry)/, '')
  const [x, y] = [random.below(3_600) / 10 - 180, random.below(1_600) / 10 - 80]
  const square = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
    [x, y],
  ]
  const line = square.slice(0, 3)
  const point = { type: 'Point', coordinates: [x, y] }
  switch (shape) {
    case 'LineString':
      return { type: shape, coordinates: line }
    case 'Polygon':
      return { type: shape, coordinates: [square] }
    case 'MultiPoint':
      return { type: shape, coordinates: line }
    case 'MultiLineString':
      return { type: shape, coordinates: [line, square] }
    case 'MultiPolygon':
      return { type: shape, coordinates: [[square]] }
    case 'Collection':
      return { type: 'GeometryCollection', geometries: [point] }
    default:
      return point
  }
}
