/** Data cannot be made as it was asked for; the message says why and what to do instead. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
}
