/**
 * What an engine refuses for a reason that callers can do something about:
 *
 * - `unique`: a value that another item has; `columns` as far as the engine tells
 * - `reference`: an item that others refer to, or a reference to none
 * - `tooComplex`: SQL that is nested too deep or has too many values
 * - `outOfRange`: a number or time that the engine cannot hold
 * - `busy`: others hold what is needed for too long
 * - `tooSlow`: a statement that took longer than it may
 * - `unavailable`: the database cannot be reached, or has gone
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly problem: StoreProblem
  readonly columns: readonly string[]

  constructor(problem: StoreProblem, cause: unknown, columns: readonly string[] = []) {
    super(`The store refused: ${problem}.`, { cause })
    this.problem = problem
    this.columns = columns
  }
}

export type StoreProblem = 'unique' | 'reference' | 'tooComplex' | 'outOfRange' | 'busy' | 'tooSlow' | 'unavailable'
