/** Remembers the values of a function for the keys asked last, up to a number of them. */
export function boundedCache<Value>(size: number, make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return key => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    if (known.size >= size) {
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    }
    known.set(key, made)
    return made
  }
}
