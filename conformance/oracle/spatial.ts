import { isRow } from '../json.js'

/** Longitude and latitude in degrees, or x and y on a plane. */
export type Position = readonly [x: number, y: number]

/** Bounds of a measure that hold for every common model of the Earth. */
export interface Interval {
  readonly least: number
  readonly most: number
}

/** Meters: the mean radius of the Earth. */
const radius = 6_371_008.8
/** The deviation of the sphere from the ellipsoid, with a margin. */
const globeMargin = 0.01
/** Meters, for services that store positions with fewer digits. */
const globeSlack = 2
/** The same for positions on a plane, relative to the measure and the coordinates. */
const planeMargin = 1e-6

/**
 * The position of a GeoJSON point without elevation; absent for anything else.
 *
 * @see RFC 7946, 3.1.2
 */
export function pointOf(json: unknown): Position | undefined {
  return isRow(json) && json['type'] === 'Point' ? positionOf(json['coordinates']) : undefined
}

/**
 * The positions of a GeoJSON line without elevation; absent for anything else.
 *
 * @see RFC 7946, 3.1.4
 */
export function lineOf(json: unknown): readonly Position[] | undefined {
  if (!isRow(json) || json['type'] !== 'LineString' || !Array.isArray(json['coordinates'])) return undefined
  const positions = json['coordinates'].flatMap((each: unknown) => {
    const position = positionOf(each)
    return position === undefined ? [] : [position]
  })
  return positions.length === json['coordinates'].length && positions.length > 1 ? positions : undefined
}

function positionOf(json: unknown): Position | undefined {
  const [x, y, ...others]: readonly unknown[] = Array.isArray(json) ? json : []
  if (others.length > 0) return undefined
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined
}

/** Whether a position is unambiguous; services differ beyond the poles and the date line. */
export function isOnMap([x, y]: Position, isGlobe: boolean): boolean {
  return isGlobe ? Math.abs(x) <= 180 && Math.abs(y) <= 90 : size([x, y]) <= planeEnd
}

/** Larger numbers are written with exponents. */
const planeEnd = 1e15

function size([x, y]: Position): number {
  return Math.max(Math.abs(x), Math.abs(y))
}

/** The distance of two positions: in meters on the globe, in its own unit on a plane. */
export function distanceBetween(a: Position, b: Position, isGlobe: boolean): Interval {
  if (isGlobe) return onGlobe(greatCircle(a, b))
  const measure = Math.hypot(a[0] - b[0], a[1] - b[1])
  const slack = planeMargin * (measure + Math.max(size(a), size(b)))
  return { least: measure - slack, most: measure + slack }
}

/**
 * The length of a line in the same units, along great circles or as GeoJSON draws it.
 *
 * @see RFC 7946, 3.1.1
 */
export function lengthOf(positions: readonly Position[], isGlobe: boolean): Interval {
  let [least, most] = [0, 0]
  for (const [index, position] of positions.entries()) {
    const next = positions[index + 1]
    if (next === undefined) break
    const step = distanceBetween(position, next, isGlobe)
    least += Math.max(0, step.least)
    most += isGlobe ? Math.max(step.most, onGlobe(asDrawn(position, next)).most) : step.most
  }
  return { least, most }
}

function onGlobe(measure: number): Interval {
  const slack = measure * globeMargin + globeSlack
  return { least: measure - slack, most: measure + slack }
}

/** An upper bound for a straight line in longitude and latitude that does not cross the date line. */
function asDrawn([x1, y1]: Position, [x2, y2]: Position): number {
  const nearest = y1 * y2 < 0 ? 0 : Math.min(Math.abs(y1), Math.abs(y2))
  return radius * Math.hypot(radians(y2 - y1), radians(x2 - x1) * Math.cos(radians(nearest)))
}

function greatCircle([x1, y1]: Position, [x2, y2]: Position): number {
  const [a, b] = [radians(y1), radians(y2)]
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(x2 - x1) / 2) ** 2
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(half)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** A square with sides parallel to the axes. */
interface Square {
  readonly centre: Position
  /** The distance from the centre to each side. */
  readonly reach: number
}

/**
 * The margin around a side within which services may differ: lines bend on a globe, and a point on a side is inside for
 * some services only.
 */
const sideMargin = 0.05

/** Whether a position is in a square; absent if services may differ. */
export function isWithin([x, y]: Position, { centre, reach }: Square): boolean | undefined {
  const away = Math.max(Math.abs(x - centre[0]), Math.abs(y - centre[1]))
  const margin = reach * sideMargin + planeMargin * Math.max(size([x, y]), size(centre))
  if (away <= reach - margin) return true
  return away >= reach + margin ? false : undefined
}
