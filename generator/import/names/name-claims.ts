/** The names that are taken in the spec and in the code made from it. */
export interface NameClaims {
  /**
   * Takes the first candidate that is free, or the first with a number behind it.
   *
   * @param identifiers what a name takes
   */
  readonly claim: (candidates: readonly string[], identifiers: (name: string) => readonly string[]) => string
}

export function nameClaims(reserved: readonly string[]): NameClaims {
  const taken = new Set(reserved)
  return {
    claim: (candidates, identifiers) => {
      for (const name of numbered(candidates)) {
        const wanted = identifiers(name)
        if (wanted.some(identifier => taken.has(identifier))) continue
        for (const identifier of wanted) taken.add(identifier)
        return name
      }
      throw new Error('There is always another number.')
    },
  }
}

/** Short enough for a number behind it. */
const longest = 120

function* numbered(candidates: readonly string[]): Iterable<string> {
  yield* candidates
  const [first = 'name'] = candidates
  for (let number = 2; ; number++) yield `${first.slice(0, longest)}${number}`
}

/** `security`, `alert` -> `securityAlert`. */
export function prefixed(prefix: string, name: string): string {
  const [first = ''] = name
  return prefix + first.toUpperCase() + name.slice(first.length)
}
