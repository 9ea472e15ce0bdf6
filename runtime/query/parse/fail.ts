import { QuerySyntaxError } from '../query-syntax-error.js'
import type { Cursor } from './cursor.js'

/** Ends the parse: at `position` stands something that is none of `expected`. */
export function fail(cursor: Cursor, position: number, expected: readonly string[], hint?: string): never {
  throw new QuerySyntaxError({ text: cursor.text, position, expected, option: cursor.option, hint })
}
