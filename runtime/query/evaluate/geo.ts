import { type CanonicalFunction, wrongArgument } from '../functions.js'
import { isGeo } from '../literal-formats.js'
import { isJsonObject, memberOf } from './conversion.js'
import { compareDecimals, type Decimal, decimalText, multiply, parseScientific, subtract, zero } from './decimal.js'
import { EvaluationError, type NonNullValue, type Value } from './value.js'

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
  values: readonly NonNullValue[],
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

function geoArgument(name: string, value: NonNullValue | undefined, wanted: GeoShape['kind']): GeoArgument {
  if (value !== undefined && typeof value !== 'boolean') {
    if (value.kind === 'structured') return { shape: geoShape(value.json) }
    if (value.kind === 'geography' || value.kind === 'geometry') {
      if (value.text.startsWith('{')) return { shape: geoShape(JSON.parse(value.text)), family: value.kind }
      return literalArgument(name, value.text, value.kind, wanted)
    }
  }
  return wrongArgument(name, value, shapeNames[wanted])
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

/** What a literal `geography'SRID=4326;Point(13.4 52.5)'` stands for. */
interface GeoLiteral {
  /** The number of its spatial reference system. */
  readonly srid: number
  /** The shape in GeoJSON. */
  readonly json: { readonly type: 'Point' | 'LineString' | 'Polygon'; readonly coordinates: readonly unknown[] }
}

const parts = /^SRID=([0-9]+);(Point|LineString|Polygon)\((.*)\)$/is

/**
 * The shape that a literal writes, given what stands between its quotes; undefined when it is none that functions take: not a
 * point, line or polygon, with numbers that are not finite, or with a ring that does not end where it began.
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

/** In metres: the mean radius of the Earth, (2a + b) / 3 of WGS 84. */
export const earthRadius = 6_371_008.8

const radians = Math.PI / 180

/** Smaller sines square to numbers that floating-point numbers may have no place for; they are less than an atom. */
const leastSine = 1e-100

/**
 * Metres between two places, along a great circle of a sphere: up to 0.6 percent off what it is along the ellipsoid
 * WGS 84.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11.1
 */
export function geographyDistance([fromX, fromY]: Position, [toX, toY]: Position): number {
  const from = fromY * radians
  const to = toY * radians
  const haversine =
    squaredSine(to / 2 - from / 2) +
    Math.cos(from) * Math.cos(to) * squaredSine((toX * radians) / 2 - (fromX * radians) / 2)
  // Beyond the poles rounding may leave less than nothing of two places that are the same.
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

/** The sum of the ways from each position to the next. */
export function lineLength(positions: readonly Position[], distance: (from: Position, to: Position) => number): number {
  return positions.slice(1).reduce((sum, to, index) => sum + distance(positions[index] ?? to, to), 0)
}

/**
 * Whether a point lies in a polygon or on its boundary, that of a hole included. Edges are straight on the plane of the
 * coordinates, as GeoJSON has it; which way round a ring goes is of no matter.
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
      if (met === 'beside') isInside = !isInside
    }
  }
  return isInside
}

/** Whether a point is on an edge, or has it beside itself on its right. */
function positionAtEdge(start: Position, end: Position, point: Position): 'on' | 'beside' | 'elsewhere' {
  const [ax, ay] = start
  const [bx, by] = end
  const [x, y] = point
  if (y < Math.min(ay, by) || y > Math.max(ay, by)) return 'elsewhere'
  const side = orientation(start, end, point)
  if (side === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return 'on'
  return ay > y !== by > y && by > ay === side > 0 ? 'beside' : 'elsewhere'
}

/** Far above what rounding adds up to, relative to the largest products; and above the least numbers that there are. */
const relativeError = 4e-15
const absoluteError = 1e-300

/**
 * Where a point lies, seen along a line: positive to the left, negative to the right, 0 exactly on it. Coordinates are the
 * decimal numbers that JSON writes for them.
 */
export function orientation([ax, ay]: Position, [bx, by]: Position, [px, py]: Position): number {
  const nearly = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
  const sizes =
    (Math.abs(bx) + Math.abs(ax)) * (Math.abs(py) + Math.abs(ay)) +
    (Math.abs(by) + Math.abs(ay)) * (Math.abs(px) + Math.abs(ax))
  if (Math.abs(nearly) > sizes * relativeError + absoluteError) return Math.sign(nearly)
  const minus = (to: number, from: number) => subtract(exactCoordinate(to), exactCoordinate(from))
  return compareDecimals(multiply(minus(bx, ax), minus(py, ay)), multiply(minus(by, ay), minus(px, ax)))
}

/** A coordinate as the decimal number that JSON writes for it. */
function exactCoordinate(value: number): Decimal {
  return parseScientific(String(value)) ?? zero
}

/** How far one coordinate is from another, reckoned with the digits that JSON writes for them. */
function coordinateDifference(to: number, from: number): number {
  return Number(decimalText(subtract(exactCoordinate(to), exactCoordinate(from))))
}

/** The SRID of the only system in which positions on the globe are reckoned with: longitude and latitude of WGS 84. */
export const wgs84 = 4326
