import type { QueryOptions } from '../../runtime/query/index.js'
import { constructsOf } from '../rule/constructs-of.js'

/** The constructs of a query; `$top=0` is one of its own, so that refusing it says nothing of `$top`. */
export function constructsAsked(options: QueryOptions): readonly string[] {
  const constructs = constructsOf(options)
  return options.top === 0 ? [...constructs, 'top.zero'] : constructs
}
