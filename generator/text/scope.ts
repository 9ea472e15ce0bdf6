/** The names that one file declares. */
export interface Scope {
  /** Takes a name; when it is taken already, the name with the suffix, as often as need be. */
  claim(name: string, suffix: string): string
  /** All names that are taken. */
  readonly taken: ReadonlySet<string>
}

/** Begins with names that are taken: those that the file uses without declaring them. */
export function scope(names: Iterable<string>): Scope {
  const taken = new Set(names)
  return {
    taken,
    claim(name, suffix) {
      let free = name
      while (taken.has(free)) free += suffix
      taken.add(free)
      return free
    },
  }
}
