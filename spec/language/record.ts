/** A record without prototype, so that no name matches an inherited member. */
export function record<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const result: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) result[key] = value
  return result
}

/** A record without prototype, so that no name of a spec meets what every object inherits. */
export function recordOf<Element, Value>(
  elements: Iterable<Element>,
  entryOf: (element: Element) => readonly [name: string, value: Value],
): Readonly<Record<string, Value>> {
  const record: Record<string, Value> = Object.create(null)
  for (const element of elements) {
    const [name, value] = entryOf(element)
    record[name] = value
  }
  return record
}
