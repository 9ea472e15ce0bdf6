const words: ReadonlyMap<unknown, string> = new Map([
  [Number.POSITIVE_INFINITY, '"INF"'],
  [Number.NEGATIVE_INFINITY, '"-INF"'],
])

/** A number as the store keeps it, as JSON: what is no number is a text already. @see OData JSON Format 4.01, 7.1 */
export function jsonNumber(stored: unknown): string {
  if (typeof stored === 'string') return JSON.stringify(stored)
  const number = Number(stored)
  return words.get(number) ?? JSON.stringify(number)
}
