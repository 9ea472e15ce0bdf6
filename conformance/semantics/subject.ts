import type { Row } from '../json.js'
import type { Reading } from './read-value.js'
import type { Possible } from './value.js'

/** What an expression is evaluated over: rows of a type, of which some properties are known. */
export interface Subject extends Reading {
  /** The unqualified name of the rows' type. */
  readonly type: string
  /** What a row lacks beside these is not known. */
  readonly properties: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
  /** What paths from rows were found to be, when many expressions are evaluated over the same rows. */
  readonly read?: Map<string, WeakMap<Row, Possible>>
}
