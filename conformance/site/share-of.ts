import type { Snapshot } from './snapshot.js'

/** How large a part of the rows that were read these are, 0 to 1. */
export function shareOf(rows: number, snapshot: Snapshot): number {
  return snapshot.rows.length === 0 ? 0 : Math.min(1, rows / snapshot.rows.length)
}
