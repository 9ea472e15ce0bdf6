import { RequestFault } from '../request-fault.js'
import type { Fault } from '../service-table.js'

/** One thing wrong with a query that the grammar accepts. */
export interface QueryProblem {
  /** With its `$`. */
  readonly option: string
  readonly message: string
}

/** Fails with the fault when there are problems, naming all of them. */
export function refuseQuery(fault: Fault, problems: readonly QueryProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new RequestFault(fault, {
    target: first.option,
    values: { option: first.option, reason: first.message },
    reasons: problems.map(({ option, message }) => ({ target: option, message })),
  })
}
