import type { Position } from './geo-shape.js'
import { turn } from './turn.js'

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
      const met = edge(start, end, point)
      if (met === 'on') return true
      if (met === 'beside') isInside = !isInside
    }
  }
  return isInside
}

/** Whether a point is on an edge, or has it beside itself on its right. */
function edge(start: Position, end: Position, point: Position): 'on' | 'beside' | 'elsewhere' {
  const [ax, ay] = start
  const [bx, by] = end
  const [x, y] = point
  if (y < Math.min(ay, by) || y > Math.max(ay, by)) return 'elsewhere'
  const side = turn(start, end, point)
  if (side === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return 'on'
  return ay > y !== by > y && by > ay === side > 0 ? 'beside' : 'elsewhere'
}
