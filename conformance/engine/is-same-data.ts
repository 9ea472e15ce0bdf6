import type { Snapshot } from '../site/snapshot.js'

/** Whether two readings of a collection brought the same rows, in whatever order. */
export function isSameData(before: Snapshot, after: Snapshot): boolean {
  if (before.rows.length !== after.rows.length || before.complete !== after.complete) return false
  const texts = (snapshot: Snapshot): string[] => snapshot.rows.map(row => JSON.stringify(row)).sort()
  const others = texts(after)
  return texts(before).every((text, index) => text === others[index])
}
