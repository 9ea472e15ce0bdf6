/** Options that cannot be used: no such rule, a spec with errors, an address that is none. The message says what to do. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
}
