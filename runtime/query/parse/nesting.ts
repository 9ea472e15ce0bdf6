import { maxNesting } from '../max-nesting.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

/** Goes one level deeper; whoever calls it takes one from `cursor.nesting` at the level's end. */
export function enter(cursor: Cursor): void {
  cursor.nesting += 1
  if (cursor.nesting > maxNesting) {
    fail(cursor, cursor.position, [], `At most ${maxNesting} levels may stand inside each other.`)
  }
}
