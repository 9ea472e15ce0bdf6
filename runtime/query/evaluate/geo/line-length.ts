import type { Position } from './geo-shape.js'

/** The sum of the ways from each position to the next. */
export function lineLength(positions: readonly Position[], distance: (from: Position, to: Position) => number): number {
  return positions.slice(1).reduce((sum, to, index) => sum + distance(positions[index] ?? to, to), 0)
}
