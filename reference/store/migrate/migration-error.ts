/** The store has data that the spec as it is now cannot have; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  /** Each a sentence. */
  readonly reasons: readonly string[]

  constructor(reasons: readonly string[]) {
    super(
      `The store was made for another version of the spec, and cannot be brought up to this one by adding to it. ${reasons.join(' ')} ` +
        'Use an empty store and load the data into it, or change the data by hand.',
    )
    this.reasons = reasons
  }
}
