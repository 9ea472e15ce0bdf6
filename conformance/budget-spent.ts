/** No request is left, or the run was stopped: thrown through rules, which need not heed it, to the end of the run. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}
