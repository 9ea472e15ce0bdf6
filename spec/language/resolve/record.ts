/** A record without prototype, so that no name finds what every object inherits. */
export function record<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const result: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) result[key] = value
  return result
}
