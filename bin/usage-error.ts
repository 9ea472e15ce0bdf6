/** The command line, or a file it names, cannot be used: exit code 2. The message says what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
