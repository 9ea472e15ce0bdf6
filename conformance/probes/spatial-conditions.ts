import type { Expression, Literal } from '../../runtime/query/index.js'
import type { Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import {
  distanceBetween,
  type Interval,
  isOnMap,
  isWithin,
  lengthOf,
  lineOf,
  type Position,
  pointOf,
} from '../oracle/spatial.js'
import { isFalse, isNull, isTrue, type TruthSet } from '../oracle/truth-set.js'
import { binary, call, integerLiteral, pathTo } from './expressions.js'
import type { Grammar } from './grammar.js'

export const spatialFunctions = ['geo.distance', 'geo.length', 'geo.intersects'] as const

/** A condition with a spatial function, and its truth on a row; absent where services may differ. */
export interface SpatialCondition {
  readonly filter: Expression
  readonly truth: (row: Row) => TruthSet | undefined
}

/** Maximum centres per property. */
const maxCentres = 3
/**
 * Half the side of a square, in degrees or units of the plane. The squares are small enough for nearly straight sides
 * on a globe.
 */
const reaches = [0.0005, 0.002, 0.01, 0.05, 0.2, 0.5, 1]
const truthOfNull: TruthSet = isFalse | isNull

/** WGS 84. */
const earth = 4326

/** The meaning of coordinates. */
interface Plane {
  readonly isGlobe: boolean
  /** The spatial reference system; absent if it differs from value to value. */
  readonly srid: number | undefined
}

/** @see CSDL 4.01, 7.2.8 (SRID) */
function systemOf(type: string, srid: number | 'variable' | undefined): number | undefined {
  if (srid === 'variable') return undefined
  return srid ?? (type.startsWith('Geography') ? earth : 0)
}

/** Conditions on points and lines, each true on some rows and false on others. */
export function spatialConditions(
  { has, hasAt }: Grammar,
  { rows, site, properties }: Snapshot,
): readonly SpatialCondition[] {
  const isDeclared = ({ filter }: SpatialCondition): boolean => filter.kind === 'binary' && has(filter.operator)
  const shown = (site.type?.properties ?? []).filter(({ name, collection }) => !collection && properties.has(name))
  const conditions = shown.flatMap(({ name, type, srid }): readonly SpatialCondition[] => {
    if (type.kind !== 'primitive') return []
    const plane: Plane = { isGlobe: type.name.startsWith('Geography'), srid: systemOf(type.name, srid) }
    // Other globes and variable systems are not supported.
    if (plane.srid === undefined || (plane.isGlobe && plane.srid !== earth)) return []
    if (!rows.every(row => isUnambiguous(row[name], plane))) return []
    if (type.name.endsWith('Point')) {
      const centres = distinctPositions(rows.map(row => roundedPosition(pointOf(row[name])))).slice(0, maxCentres)
      return centres.flatMap(centre => [
        ...(hasAt([name], 'geo.distance') ? distanceConditions(name, centre, plane, rows).filter(isDeclared) : []),
        ...(hasAt([name], 'geo.intersects') ? squareConditions(name, centre, plane, rows) : []),
      ])
    }
    return type.name.endsWith('LineString') && hasAt([name], 'geo.length')
      ? lengthConditions(name, plane, rows).filter(isDeclared)
      : []
  })
  return conditions.filter(({ truth }) => {
    const truths = rows.map(truth)
    return truths.includes(isTrue) && truths.some(each => each !== undefined && (each & isTrue) === 0)
  })
}

/** Whether a value has one interpretation: it has no elevation and is not beyond the poles. */
function isUnambiguous(json: unknown, { isGlobe }: Plane): boolean {
  if (json === null || json === undefined) return true
  const point = pointOf(json)
  const positions = point === undefined ? lineOf(json) : [point]
  return positions?.every(position => isOnMap(position, isGlobe)) === true
}

/** A position with as many digits as literals have. */
function roundedPosition(position: Position | undefined): Position | undefined {
  return position && [Number(decimal(position[0])), Number(decimal(position[1]))]
}

function distinctPositions(positions: readonly (Position | undefined)[]): readonly Position[] {
  const known = positions.filter(position => position !== undefined)
  return [...new Map(known.map(position => [position.join(), position])).values()]
}

function distanceConditions(
  name: string,
  centre: Position,
  plane: Plane,
  rows: readonly Row[],
): readonly SpatialCondition[] {
  const point = spatialLiteral(plane, `Point(${centre.map(decimal).join(' ')})`)
  return measureConditions(call('geo.distance', pathTo([name]), point), rows, row => {
    const position = pointOf(row[name])
    return position && distanceBetween(position, centre, plane.isGlobe)
  })
}

function lengthConditions(name: string, plane: Plane, rows: readonly Row[]): readonly SpatialCondition[] {
  return measureConditions(call('geo.length', pathTo([name])), rows, row => {
    const line = lineOf(row[name])
    return line && lengthOf(line, plane.isGlobe)
  })
}

/** Compares the measure with a bound that separates the rows evenly. */
function measureConditions(
  measure: Expression,
  rows: readonly Row[],
  measureOf: (row: Row) => Interval | undefined,
): readonly SpatialCondition[] {
  const bound = separatingBound(rows.flatMap(row => measureOf(row) ?? []))
  if (bound === undefined) return []
  return (['lt', 'gt'] as const).map(operator => ({
    filter: binary(operator, measure, numberLiteral(bound)),
    truth: row => {
      const measured = measureOf(row)
      if (measured === undefined) return truthOfNull
      if (measured.most < bound) return operator === 'lt' ? isTrue : isFalse
      if (measured.least > bound) return operator === 'gt' ? isTrue : isFalse
      return undefined
    },
  }))
}

/** A bound between two measures that are clearly different, as close to the median as possible. */
function separatingBound(measures: readonly Interval[]): number | undefined {
  const sorted = [...measures].sort((a, b) => a.most - b.most)
  const middle = sorted.length / 2
  const places = sorted.flatMap((each, index) => {
    const next = sorted[index + 1]
    if (next === undefined || next.least <= each.most) return []
    const bound = Number(decimal(Number(((each.most + next.least) / 2).toPrecision(6))))
    return bound > each.most && bound < next.least ? [{ bound, away: Math.abs(index + 1 - middle) }] : []
  })
  return places.sort((a, b) => a.away - b.away)[0]?.bound
}

function squareConditions(
  name: string,
  centre: Position,
  plane: Plane,
  rows: readonly Row[],
): readonly SpatialCondition[] {
  const [x, y] = centre
  return reaches.flatMap(reach => {
    // Near the poles and the date line, services interpret coordinates differently.
    if (plane.isGlobe && (Math.abs(y) > 70 || Math.abs(x) > 178)) return []
    const corners = [
      [x - reach, y - reach],
      [x + reach, y - reach],
      [x + reach, y + reach],
      [x - reach, y + reach],
      [x - reach, y - reach],
    ].map(corner => corner.map(decimal).join(' '))
    const truth = (row: Row): TruthSet | undefined => {
      const position = pointOf(row[name])
      if (position === undefined) return truthOfNull
      const isIn = isWithin(position, { centre, reach })
      return isIn === undefined ? undefined : isIn ? isTrue : isFalse
    }
    const isClear = rows.every(row => truth(row) !== undefined)
    const filter = call('geo.intersects', pathTo([name]), spatialLiteral(plane, `Polygon((${corners.join(',')}))`))
    return isClear ? [{ filter, truth }] : []
  })
}

/** @see OData ABNF, `geographyPoint` and `geometryPoint` */
function spatialLiteral({ isGlobe, srid }: Plane, shape: string): Literal {
  return { kind: 'literal', type: isGlobe ? 'Geography' : 'Geometry', value: `SRID=${srid};${shape}` }
}

function numberLiteral(value: number): Literal {
  return Number.isInteger(value) ? integerLiteral(value) : { kind: 'literal', type: 'Decimal', value: decimal(value) }
}

/** Without an exponent, which some parsers reject here. */
function decimal(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/, '').replace(/\.$/, '')
}
