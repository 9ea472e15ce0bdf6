import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { Laws } from '../../semantics/laws.js'
import type { Truth } from '../../semantics/truth.js'

/** One way to misread or to misevaluate filters that services were seen to have. */
export interface WrongInterpreter {
  /** Stable; a feature of what is found: `gt-as-ge`. */
  readonly id: string
  /** For people, after `it looks as if`: `gt were ge`. */
  readonly says: string
  /** Operators, functions and types of literals, one of which a condition has that it misreads; absent: it may misread any. */
  readonly signs?: readonly string[]
  /** What it takes a condition without `and`, `or` and `not` for; absent: for what it is. */
  readonly atom?: (filter: Expression) => Expression | undefined
  /**
   * What it makes of a condition on a row, by nothing but the properties that the condition reads, where no expression says
   * that; absent: what it is, on this row or on all.
   */
  readonly truth?: (filter: Expression) => ((row: Row) => Truth | undefined) | undefined
  /** What it takes the whole for: another tree of the same conditions. */
  readonly tree?: (filter: Expression) => Expression
  /** The laws by which it compares, and the conditions that they have to do with. */
  readonly laws?: (laws: Laws) => Laws
  readonly concerns?: (part: Expression) => boolean
  /** What `not` makes of null. */
  readonly notNull?: 'true' | 'false'
}
