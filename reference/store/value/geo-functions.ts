import { geographyDistance, geometryDistance } from '../../../runtime/query/evaluate/geo/distance.js'
import { type GeoShape, geoShape, type Position } from '../../../runtime/query/evaluate/geo/geo-shape.js'
import { intersects } from '../../../runtime/query/evaluate/geo/intersects.js'
import { lineLength } from '../../../runtime/query/evaluate/geo/line-length.js'

/** A function over texts of GeoJSON; null where a shape is not of the kind that it takes. */
type GeoFunction = (...texts: readonly unknown[]) => number | null

const distances = { geography: geographyDistance, geometry: geometryDistance }

/** Spatial functions over GeoJSON for SQLite, by their names there, each with the number of its arguments. */
export function geoFunctions(): readonly (readonly [name: string, length: number, work: GeoFunction])[] {
  const families = ['geography', 'geometry'] as const
  return [
    ...families.flatMap(family => [
      [`${family}_distance`, 2, distanceOf(distances[family])] as const,
      [`${family}_length`, 1, lengthOf(distances[family])] as const,
    ]),
    ['geo_intersects', 2, intersectsOf()],
  ]
}

type Distance = (from: Position, to: Position) => number

function distanceOf(distance: Distance): GeoFunction {
  const fromOf = shapeReader()
  const toOf = shapeReader()
  return (one, other) => {
    const from = fromOf(one)
    const to = toOf(other)
    return from?.kind === 'point' && to?.kind === 'point' ? distance(from.position, to.position) : null
  }
}

function lengthOf(distance: Distance): GeoFunction {
  const lineOf = shapeReader()
  return text => {
    const line = lineOf(text)
    return line?.kind === 'line' ? lineLength(line.positions, distance) : null
  }
}

function intersectsOf(): GeoFunction {
  const pointOf = shapeReader()
  const polygonOf = shapeReader()
  return (one, other) => {
    const point = pointOf(one)
    const polygon = polygonOf(other)
    return point?.kind === 'point' && polygon?.kind === 'polygon'
      ? Number(intersects(point.position, polygon.rings))
      : null
  }
}

/** Keeps the shape that it read last: a literal of a query comes again with each row. */
function shapeReader(): (text: unknown) => GeoShape | undefined {
  let last: { readonly text: unknown; readonly shape: GeoShape | undefined } = { text: '', shape: undefined }
  return text => {
    if (last.text !== text) last = { text, shape: geoShape(JSON.parse(String(text))) }
    return last.shape
  }
}
