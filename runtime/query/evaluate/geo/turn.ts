import { compareDecimals, multiply, subtract } from '../decimal.js'
import { exactCoordinate } from './exact-coordinate.js'
import type { Position } from './geo-shape.js'

/** Far above what rounding adds up to, relative to the largest products; and above the least numbers that there are. */
const relativeDoubt = 4e-15
const leastDoubt = 1e-300

/**
 * Where a point lies, seen along a line: positive to the left, negative to the right, 0 exactly on it. Coordinates are the
 * decimal numbers that JSON writes for them.
 */
export function turn([ax, ay]: Position, [bx, by]: Position, [px, py]: Position): number {
  const nearly = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
  const sizes =
    (Math.abs(bx) + Math.abs(ax)) * (Math.abs(py) + Math.abs(ay)) +
    (Math.abs(by) + Math.abs(ay)) * (Math.abs(px) + Math.abs(ax))
  if (Math.abs(nearly) > sizes * relativeDoubt + leastDoubt) return Math.sign(nearly)
  const minus = (to: number, from: number) => subtract(exactCoordinate(to), exactCoordinate(from))
  return compareDecimals(multiply(minus(bx, ax), minus(py, ay)), multiply(minus(by, ay), minus(px, ax)))
}
