import type { Expression } from '../../runtime/query/index.js'

/** A condition without `and`, `or` and `not`: what filters are made of. */
export interface Atom {
  readonly filter: Expression
  /** What it is about, to tell two that look alike apart: `eq text subject`. */
  readonly kind: string
}
