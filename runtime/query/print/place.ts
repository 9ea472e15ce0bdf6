import { maxNesting } from '../max-nesting.js'
import type { Scope } from '../parse/cursor.js'
import { PrintError } from '../print-error.js'

/** Where something is printed: how deep, with which lambda variables around it, and how generous with parentheses. */
export interface Place {
  readonly nesting: number
  readonly scope: Scope | undefined
  /** Whether it stands in the parentheses of another option, where a semicolon separates. */
  readonly nested: boolean
  /** `cautious`: also where only servers with a wrong precedence need them; `fewest`: where the grammar needs them. */
  readonly parentheses: 'cautious' | 'fewest'
}

class NestingError extends PrintError {}

/** The place one level deeper, as the parser counts levels. */
export function within(place: Place): Place {
  if (place.nesting >= maxNesting) throw new NestingError(`The query nests deeper than ${maxNesting} levels.`)
  return { ...place, nesting: place.nesting + 1 }
}

/** Prints with cautious parentheses, or, when these would nest too deep, with the fewest. */
export function printAtTop(print: (place: Place) => string): string {
  try {
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'cautious' })
  } catch (error) {
    if (!(error instanceof NestingError)) throw error
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'fewest' })
  }
}
