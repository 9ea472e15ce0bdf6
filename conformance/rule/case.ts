import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import type { Json } from '../json.js'

/** What one check of a rule is about: plain data, so that it can be reduced, kept and run again. Rules use what they need. */
export interface Case {
  /** The query. */
  readonly options?: QueryOptions
  /** Predicates that a rule relates to each other, beside `options.filter`. */
  readonly predicates?: readonly Expression[]
  /** Key of a row, as `keyOf` writes it. */
  readonly key?: string
  /** Name or path of a property, a relation, a header, an option. */
  readonly name?: string
  /** Which of the rule's own situations this is. */
  readonly variant?: string
  readonly text?: string
  readonly numbers?: readonly number[]
  /** What is written, step by step. */
  readonly steps?: readonly Step[]
}

/** A step of a life cycle. `item` counts the items that the case has made, from 0. */
export interface Step {
  readonly do: string
  readonly item?: number
  readonly body?: Json
  readonly name?: string
}
