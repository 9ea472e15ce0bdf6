/** A value that fits its type, but not the store. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue'
  readonly property: string
  /** The end of a sentence that begins with the property: `must have at most 5 bytes`. */
  readonly problem: string

  constructor(property: string, problem: string) {
    super(`${property} ${problem}.`)
    this.property = property
    this.problem = problem
  }
}
