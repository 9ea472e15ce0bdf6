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
  /** The number to try next behind a name: those before are taken. */
  const numbers = new Map<string, number>()
  return {
    claim: (candidates, identifiers) => {
      const [first = 'name'] = candidates
      const isFree = (name: string): boolean => !identifiers(name).some(identifier => taken.has(identifier))
      let name = candidates.find(isFree)
      for (let number = numbers.get(first) ?? 2; name === undefined; number++) {
        const numbered = `${first.slice(0, longest)}${number}`
        numbers.set(first, number + 1)
        if (isFree(numbered)) name = numbered
      }
      for (const identifier of identifiers(name)) taken.add(identifier)
      return name
    },
  }
}

/** Short enough for a number behind it. */
const longest = 120

/** `security`, `alert` -> `securityAlert`. */
export function prefixed(prefix: string, name: string): string {
  const [first = ''] = name
  return prefix + first.toUpperCase() + name.slice(first.length)
}
