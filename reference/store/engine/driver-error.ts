/** The package that talks to a database cannot be loaded. The message says what to do. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
}
