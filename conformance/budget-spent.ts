/** No request or no time is left, or the run was stopped: thrown through rules, which need not heed it, to the end of the run. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  readonly spent: 'requests' | 'time' | 'stop'
  /** What the service did that used up the time, where that is known: `no answer within 30 s`. */
  readonly why: string | undefined

  constructor(spent: BudgetSpent['spent'] = 'requests', why?: string) {
    super()
    this.spent = spent
    this.why = why
  }
}
