import { difference } from './exact-coordinate.js'
import type { Position } from './geo-shape.js'

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
  return Math.hypot(difference(toX, fromX), difference(toY, fromY))
}
