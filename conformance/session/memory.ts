/** What was read as a fact to start from: kept as long as the reading that it belongs to. */
export interface Memory<T> {
  /** What is known by a name, or else what is read now. */
  readonly recall: (reading: object, name: string, read: () => Promise<T>) => Promise<T>
  /** What was just read for another purpose. */
  readonly keep: (reading: object, name: string, value: T) => void
}

/**
 * Remembers facts by name under the readings of a session.
 *
 * @param lasts whether it is a fact: what failed in passing is read again
 */
export function memory<T>(lasts: (value: T) => boolean): Memory<T> {
  const facts = new WeakMap<object, Map<string, Promise<T>>>()
  const under = (reading: object): Map<string, Promise<T>> => {
    const known = facts.get(reading) ?? new Map<string, Promise<T>>()
    facts.set(reading, known)
    return known
  }
  return {
    recall: (reading, name, read) => {
      const known = under(reading)
      const before = known.get(name)
      if (before !== undefined) return before
      const fact = read()
      known.set(name, fact)
      const forget = (): boolean => known.delete(name)
      fact.then(value => !lasts(value) && forget(), forget)
      return fact
    },
    keep: (reading, name, value) => {
      if (lasts(value)) under(reading).set(name, Promise.resolve(value))
    },
  }
}
