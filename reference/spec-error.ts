import type { Diagnostic } from '../spec/language/index.js'

/** A spec that cannot be run. */
export class SpecError extends Error {
  override readonly name = 'SpecError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(path: string, diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const [first] = errors
    super(`The spec ${path} has ${errors.length} errors.${first === undefined ? '' : ` The first: ${first.message}`}`)
    this.diagnostics = diagnostics
  }
}
