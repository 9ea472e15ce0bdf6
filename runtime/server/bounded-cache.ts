/** Remembers the values of a function for the keys asked last, up to a number of them. */
export function boundedCache<Value>(size: number, make: (key: string) => Value): (key: string) => Value {
  const known = boundedMap<Value>(size)
  return key => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** A map that forgets its oldest entry when it is full. */
interface BoundedMap<Value> {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
}

/** Remembers up to a number of values. */
export function boundedMap<Value>(size: number): BoundedMap<Value> {
  const known = new Map<string, Value>()
  return {
    get: key => known.get(key),
    set: (key, value) => {
      if (known.size >= size && !known.has(key)) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      known.set(key, value)
    },
  }
}
