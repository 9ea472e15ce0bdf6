import { boundedMap } from './bounded-map.js'

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
