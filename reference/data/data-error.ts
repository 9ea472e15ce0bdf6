import type { Diagnostic } from '../../spec/language/index.js'

/** Data that cannot be loaded, and all that is wrong with it. */
export class DataError extends Error {
  override readonly name = 'DataError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(`The data cannot be loaded: ${diagnostics.map(({ message }) => message).join(' ')}`)
    this.diagnostics = diagnostics
  }
}
