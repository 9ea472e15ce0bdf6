import { isGeo } from '../literal-formats.js'
import { isJsonObject, memberOf } from './conversion.js'
import { compareDecimals, type Decimal, decimalText, multiply, parseScientific, subtract, zero } from './decimal.js'
import { EvaluationError, isOfKind, type NonNullValue, type Value } from './value.js'

export type GeoFamily = 'geography' | 'geometry'

/** An argument of a geo function. JSON without a declared type has no `srid`. `shape` is undefined if it is not the expected one. */
export interface GeoArgument {
  readonly shape: GeoShape | undefined
  readonly srid?: number
}

/**
 * Reads an argument; undefined when it is not of the family. JSON without a declared type is of either family.
 *
 * @throws {EvaluationError} for a literal of another shape or of an unsupported spatial reference system
 */
export function readGeoArgument(
  value: NonNullValue,
  family: GeoFamily,
  kind: GeoShape['kind'],
): GeoArgument | undefined {
  if (isOfKind(value, 'structured')) return { shape: shapeOfKind(value.json, kind) }
  if (typeof value === 'boolean' || value.kind !== family) return undefined
  if (value.text.startsWith('{')) return { shape: shapeOfKind(JSON.parse(value.text), kind) }
  const literal = geoLiteral(value.text)
  const shape = shapeOfKind(literal?.json, kind)
  if (literal === undefined || shape === undefined) {
    throw new EvaluationError(
      `Expected ${shapeDescriptions[kind]} with finite numbers and closed rings, found ${value.text}.`,
    )
  }
  if (family === 'geography' && literal.srid !== wgs84) {
    throw new EvaluationError(`Expected a geography of SRID ${wgs84}, found SRID ${literal.srid}.`)
  }
  return { shape, srid: literal.srid }
}

const shapeDescriptions = { point: 'a point', line: 'a line string', polygon: 'a polygon' }

function shapeOfKind(json: unknown, kind: GeoShape['kind']): GeoShape | undefined {
  const shape = geoShape(json)
  return shape?.kind === kind ? shape : undefined
}

/** Metres between two geographies, or the distance of two geometries in the unit of their coordinates. */
export function geoDistance(family: GeoFamily, from: GeoArgument, to: GeoArgument): Value {
  requireOneSystem(from, to)
  if (from.shape?.kind !== 'point' || to.shape?.kind !== 'point') return null
  return { kind: 'double', value: distanceIn(family)(from.shape.position, to.shape.position) }
}

export function geoLength(family: GeoFamily, { shape }: GeoArgument): Value {
  return shape?.kind === 'line' ? { kind: 'double', value: lineLength(shape.positions, distanceIn(family)) } : null
}

export function geoIntersects(point: GeoArgument, polygon: GeoArgument): Value {
  requireOneSystem(point, polygon)
  if (point.shape?.kind !== 'point' || polygon.shape?.kind !== 'polygon') return null
  return intersects(point.shape.position, polygon.shape.rings)
}

function requireOneSystem(one: GeoArgument, other: GeoArgument): void {
  if (one.srid === undefined || other.srid === undefined || one.srid === other.srid) return
  const found = `SRID ${one.srid} and SRID ${other.srid}`
  throw new EvaluationError(`Expected two values of one spatial reference system, found ${found}.`)
}

function distanceIn(family: GeoFamily): (from: Position, to: Position) => number {
  return family === 'geometry' ? geometryDistance : geographyDistance
}

/** The value of a literal such as `geography'SRID=4326;Point(13.4 52.5)'`. */
interface GeoLiteral {
  /** The spatial reference system. */
  readonly srid: number
  /** The shape in GeoJSON. */
  readonly json: { readonly type: 'Point' | 'LineString' | 'Polygon'; readonly coordinates: readonly unknown[] }
}

const parts = /^SRID=([0-9]+);(Point|LineString|Polygon)\((.*)\)$/is

/**
 * The value of the text between the quotes of a literal; undefined unless it is a point, line string or polygon with finite
 * numbers and closed rings.
 *
 * @see OData ABNF, `fullPointLiteral`, `fullLineStringLiteral`, `fullPolygonLiteral`
 */
export function geoLiteral(text: string): GeoLiteral | undefined {
  const [, srid, shape, inner] = (isGeo(text) ? parts.exec(text) : null) ?? []
  if (srid === undefined || shape === undefined || inner === undefined) return undefined
  const json = geoJson(shape.toLowerCase(), inner)
  return json === undefined ? undefined : { srid: Number(srid), json }
}

function geoJson(shape: string, inner: string): GeoLiteral['json'] | undefined {
  if (shape === 'polygon') {
    const rings = [...inner.matchAll(/\(([^()]*)\)/g)].map(([, positions = '']) => positionsOf(positions))
    return rings.every(ring => areFinite(ring) && isClosed(ring)) ? { type: 'Polygon', coordinates: rings } : undefined
  }
  const positions = positionsOf(inner)
  if (!areFinite(positions)) return undefined
  const [first = []] = positions
  return shape === 'point' ? { type: 'Point', coordinates: first } : { type: 'LineString', coordinates: positions }
}

type Positions = readonly (readonly number[])[]

function positionsOf(text: string): Positions {
  return text.split(',').map(position => position.trim().split(/ +/).map(Number))
}

function areFinite(positions: Positions): boolean {
  return positions.every(position => position.every(Number.isFinite))
}

function isClosed(ring: Positions): boolean {
  const [first] = ring
  return ring.length >= 4 && String(first) === String(ring.at(-1))
}

/** Longitude and latitude in degrees, or x and y on a plane. Both are finite. Elevations are ignored. */
export type Position = readonly [x: number, y: number]

/** The shapes that functions accept. Rings are closed: the last position equals the first. */
export type GeoShape =
  | { readonly kind: 'point'; readonly position: Position }
  | { readonly kind: 'line'; readonly positions: readonly Position[] }
  | { readonly kind: 'polygon'; readonly rings: readonly (readonly Position[])[] }

/** A shape in GeoJSON; undefined for anything else. @see RFC 7946, 3.1 */
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

/** In metres: the mean radius of the Earth, (2a + b) / 3 of WGS 84. */
export const earthRadius = 6_371_008.8

const radians = Math.PI / 180

/** The square of a smaller sine can underflow. On Earth it is less than the size of an atom. */
const leastSine = 1e-100

/**
 * The distance of two places in metres, along a great circle of a sphere. It differs from the distance on the WGS 84
 * ellipsoid by up to 0.6 percent.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11.1
 */
export function geographyDistance([fromX, fromY]: Position, [toX, toY]: Position): number {
  const from = fromY * radians
  const to = toY * radians
  const haversine =
    squaredSine(to / 2 - from / 2) +
    Math.cos(from) * Math.cos(to) * squaredSine((toX * radians) / 2 - (fromX * radians) / 2)
  // For equal places beyond the poles, rounding can make it negative.
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, Math.max(0, haversine))))
}

function squaredSine(angle: number): number {
  const sine = Math.sin(angle)
  return Math.abs(sine) < leastSine ? 0 : sine * sine
}

/** The distance of two points of a plane, in the unit of their coordinates. */
export function geometryDistance([fromX, fromY]: Position, [toX, toY]: Position): number {
  return Math.hypot(coordinateDifference(toX, fromX), coordinateDifference(toY, fromY))
}

export function lineLength(positions: readonly Position[], distance: (from: Position, to: Position) => number): number {
  return positions.slice(1).reduce((sum, to, index) => sum + distance(positions[index] ?? to, to), 0)
}

/**
 * Whether a point is in a polygon or on its boundary, including the boundary of a hole. Edges are straight lines on the plane
 * of the coordinates, as in GeoJSON. The direction of rings does not matter.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11.2
 * @see RFC 7946, 3.1.1
 */
export function intersects(point: Position, rings: readonly (readonly Position[])[]): boolean {
  let isInside = false
  for (const ring of rings) {
    for (const [index, end] of ring.entries()) {
      const start = ring[index - 1]
      if (start === undefined) continue
      const met = positionAtEdge(start, end, point)
      if (met === 'on') return true
      if (met === 'crossed') isInside = !isInside
    }
  }
  return isInside
}

/** Whether a point is on an edge, or a horizontal ray from the point to the right crosses the edge. */
function positionAtEdge(start: Position, end: Position, point: Position): 'on' | 'crossed' | 'elsewhere' {
  const [ax, ay] = start
  const [bx, by] = end
  const [x, y] = point
  if (y < Math.min(ay, by) || y > Math.max(ay, by)) return 'elsewhere'
  const side = orientation(start, end, point)
  if (side === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return 'on'
  return ay > y !== by > y && by > ay === side > 0 ? 'crossed' : 'elsewhere'
}

/** Generous bounds on the rounding error: relative to the largest products, and above the smallest numbers. */
const relativeError = 4e-15
const absoluteError = 1e-300

/**
 * The orientation of a point relative to a line: positive to the left, negative to the right, 0 on it. Exact for coordinates
 * taken as the decimal numbers that JSON writes.
 */
export function orientation([ax, ay]: Position, [bx, by]: Position, [px, py]: Position): number {
  const approximate = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
  const sizes =
    (Math.abs(bx) + Math.abs(ax)) * (Math.abs(py) + Math.abs(ay)) +
    (Math.abs(by) + Math.abs(ay)) * (Math.abs(px) + Math.abs(ax))
  if (Math.abs(approximate) > sizes * relativeError + absoluteError) return Math.sign(approximate)
  const minus = (to: number, from: number) => subtract(exactCoordinate(to), exactCoordinate(from))
  return compareDecimals(multiply(minus(bx, ax), minus(py, ay)), multiply(minus(by, ay), minus(px, ax)))
}

/** A coordinate as the decimal number that JSON writes. */
function exactCoordinate(value: number): Decimal {
  return parseScientific(value) ?? zero
}

function coordinateDifference(to: number, from: number): number {
  return Number(decimalText(subtract(exactCoordinate(to), exactCoordinate(from))))
}

/** The SRID of longitude and latitude in WGS 84, the only supported system for geographies. */
export const wgs84 = 4326
