/** Throws the `TypeError` for something that cannot be sent or followed. */
export const unexpected = (expected: string, found: unknown): never => {
  throw new TypeError(`Expected ${expected}, found '${found}'.`)
}
