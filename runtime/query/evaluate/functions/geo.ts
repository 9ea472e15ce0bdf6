import { EvaluationError } from '../../evaluation-error.js'
import { geographyDistance, geometryDistance } from '../geo/distance.js'
import { geoLiteral } from '../geo/geo-literal.js'
import { type GeoShape, geoShape, type Position } from '../geo/geo-shape.js'
import { intersects } from '../geo/intersects.js'
import { lineLength } from '../geo/line-length.js'
import { wgs84 } from '../geo/wgs84.js'
import type { Present, Value } from '../value.js'
import { type CanonicalFunction, misfit } from './function.js'

/** A spatial argument. `family` and `srid` are unknown for JSON whose type nobody declared. */
interface GeoArgument {
  readonly shape: GeoShape | undefined
  readonly family?: 'geography' | 'geometry'
  readonly srid?: number
}

/**
 * Functions of places. Distances and lengths of geographies are metres on a sphere, those of geometries are in the unit of
 * their coordinates. What is no shape of the kind that a function takes gives null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11
 */
export const geoFunctions: Readonly<Record<string, CanonicalFunction>> = {
  'geo.distance': values => {
    const [from, to] = geoArguments('geo.distance', values, ['point', 'point'])
    if (from?.shape?.kind !== 'point' || to?.shape?.kind !== 'point') return null
    return double(distanceIn([from, to])(from.shape.position, to.shape.position))
  },
  'geo.length': values => {
    const [line] = geoArguments('geo.length', values, ['line'])
    if (line?.shape?.kind !== 'line') return null
    return double(lineLength(line.shape.positions, distanceIn([line])))
  },
  'geo.intersects': values => {
    const [point, polygon] = geoArguments('geo.intersects', values, ['point', 'polygon'])
    if (point?.shape?.kind !== 'point' || polygon?.shape?.kind !== 'polygon') return null
    return intersects(point.shape.position, polygon.shape.rings)
  },
}

const shapeNames = { point: 'a point', line: 'a line string', polygon: 'a polygon' }

function geoArguments(
  name: string,
  values: readonly Present[],
  wanted: readonly GeoShape['kind'][],
): readonly GeoArgument[] {
  const found = wanted.map((kind, index) => geoArgument(name, values[index], kind))
  const families = new Set(found.flatMap(({ family }) => (family === undefined ? [] : [family])))
  if (families.size > 1)
    throw new EvaluationError(`\`${name}\` needs two geographies or two geometries, not one of each.`)
  const systems = new Set(found.flatMap(({ srid }) => (srid === undefined ? [] : [srid])))
  if (systems.size > 1) {
    throw new EvaluationError(
      `\`${name}\` needs values of one spatial reference system, not of ${[...systems].join(' and ')}.`,
    )
  }
  return found
}

function geoArgument(name: string, value: Present | undefined, wanted: GeoShape['kind']): GeoArgument {
  if (value !== undefined && typeof value !== 'boolean') {
    if (value.kind === 'structured') return { shape: geoShape(value.json) }
    if (value.kind === 'geography' || value.kind === 'geometry') {
      if (value.text.startsWith('{')) return { shape: geoShape(JSON.parse(value.text)), family: value.kind }
      return literalArgument(name, value.text, value.kind, wanted)
    }
  }
  return misfit(name, value, shapeNames[wanted])
}

function literalArgument(
  name: string,
  text: string,
  family: 'geography' | 'geometry',
  wanted: GeoShape['kind'],
): GeoArgument {
  const literal = geoLiteral(text)
  const shape = geoShape(literal?.json)
  if (literal === undefined || shape?.kind !== wanted) {
    throw new EvaluationError(
      `\`${name}\` needs ${shapeNames[wanted]} with finite numbers and closed rings, not ${text}.`,
    )
  }
  if (family === 'geography' && literal.srid !== wgs84) {
    throw new EvaluationError(`\`${name}\` knows geographies of SRID ${wgs84} only, not of ${literal.srid}.`)
  }
  return { shape, family, srid: literal.srid }
}

/** GeoJSON that nobody declared to be anything else has longitudes and latitudes. */
function distanceIn(found: readonly GeoArgument[]): (from: Position, to: Position) => number {
  return found.some(({ family }) => family === 'geometry') ? geometryDistance : geographyDistance
}

function double(value: number): Value {
  return { kind: 'double', value }
}
