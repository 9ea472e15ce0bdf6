import { isRow } from '../is-row.js'

/** Longitude and latitude in degrees, or x and y on a plane. */
export type Position = readonly [x: number, y: number]

/** What is true of a measure whatever globe a service reckons on. */
export interface Bounds {
  readonly least: number
  readonly most: number
}

/** Metres: the mean radius of the Earth. */
const radius = 6_371_008.8
/** How far the sphere may be off the ellipsoid, with something to spare. */
const globeMargin = 0.01
/** Metres, for positions that services keep with fewer digits. */
const globeSlack = 2
const planeMargin = 1e-6

/** The position of a point in GeoJSON; absent for anything else. @see RFC 7946, 3.1.2 */
export function pointOf(json: unknown): Position | undefined {
  return isRow(json) && json['type'] === 'Point' ? positionOf(json['coordinates']) : undefined
}

/** The positions of a line in GeoJSON; absent for anything else. @see RFC 7946, 3.1.4 */
export function lineOf(json: unknown): readonly Position[] | undefined {
  if (!isRow(json) || json['type'] !== 'LineString' || !Array.isArray(json['coordinates'])) return undefined
  const positions = json['coordinates'].flatMap((each: unknown) => {
    const position = positionOf(each)
    return position === undefined ? [] : [position]
  })
  return positions.length === json['coordinates'].length && positions.length > 1 ? positions : undefined
}

function positionOf(json: unknown): Position | undefined {
  const [x, y]: readonly unknown[] = Array.isArray(json) ? json : []
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined
}

/** How far two positions are apart: in metres on the globe, in its own unit on a plane. */
export function distanceBetween(a: Position, b: Position, isGlobe: boolean): Bounds {
  return around(isGlobe ? greatCircle(a, b) : Math.hypot(a[0] - b[0], a[1] - b[1]), isGlobe)
}

/** How long a line is, in the same units. */
export function lengthOf(positions: readonly Position[], isGlobe: boolean): Bounds {
  let [least, most] = [0, 0]
  for (const [index, position] of positions.entries()) {
    const next = positions[index + 1]
    if (next === undefined) break
    const step = distanceBetween(position, next, isGlobe)
    least += Math.max(0, step.least)
    most += step.most
  }
  return { least, most }
}

function around(measure: number, isGlobe: boolean): Bounds {
  const slack = isGlobe ? measure * globeMargin + globeSlack : measure * planeMargin
  return { least: measure - slack, most: measure + slack }
}

function greatCircle([x1, y1]: Position, [x2, y2]: Position): number {
  const [a, b] = [radians(y1), radians(y2)]
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(x2 - x1) / 2) ** 2
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(half)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** A square whose sides go along the axes. */
export interface Square {
  readonly centre: Position
  /** From the centre to each side. */
  readonly reach: number
}

/** How far from a side services may part: lines bend on a globe, and what is on a side is inside to some only. */
const sideMargin = 0.05

/** Whether a position is in a square, if all services agree on it. */
export function isWithin([x, y]: Position, { centre, reach }: Square): boolean | undefined {
  const away = Math.max(Math.abs(x - centre[0]), Math.abs(y - centre[1]))
  if (away <= reach * (1 - sideMargin)) return true
  return away >= reach * (1 + sideMargin) ? false : undefined
}
