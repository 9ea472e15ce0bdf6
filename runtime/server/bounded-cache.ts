/** Caches the results of a function for at most `size` keys. It removes the oldest entry first. */
export function boundedCache<Value>(size: number, compute: (key: string) => Value): (key: string) => Value {
  const cache = boundedMap<Value>(size)
  return key => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const value = compute(key)
    cache.set(key, value)
    return value
  }
}

/** A map that removes the entry that was set first when it is full. */
export interface BoundedMap<Value> {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
}

/** Creates a map of at most `size` entries. */
export function boundedMap<Value>(size: number): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: key => entries.get(key),
    set: (key, value) => {
      // An entry that is set again moves to the end.
      entries.delete(key)
      if (entries.size >= size) {
        const [oldest] = entries.keys()
        if (oldest !== undefined) entries.delete(oldest)
      }
      entries.set(key, value)
    },
  }
}
