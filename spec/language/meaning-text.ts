import { printFilter } from '../../runtime/query/print/filter.js'
import { printOrderby } from '../../runtime/query/print/orderby.js'
import type { Meaning } from './model/operation.js'

/** The query of an operation's meaning as text, for whoever writes a spec's content down in another form. */
export interface MeaningText {
  readonly filter?: string
  readonly orderby?: string
}

/** Prints what was parsed: the text need not be the one of the spec, but it means the same. */
export function meaningText({ filter, orderby }: Meaning): MeaningText {
  return {
    ...(filter === undefined ? {} : { filter: printFilter(filter) }),
    ...(orderby === undefined ? {} : { orderby: printOrderby(orderby) }),
  }
}
