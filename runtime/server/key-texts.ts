/** The keys of a path as text, for messages with `{id}`. */
export function keyTexts(keys: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, String(value)]))
}
