/** A map that forgets its oldest entry when it is full. */
export interface BoundedMap<Value> {
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
