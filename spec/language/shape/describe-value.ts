/** What a value is, in the words of a message. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'object':
      return 'a mapping'
    case 'string':
      return quoted(value)
    case 'number':
      return `the number ${value}`
    default:
      return `\`${String(value)}\``
  }
}

const longest = 60

/** A text in quotes, cut when it is long. */
export function quoted(text: string): string {
  const characters = [...text]
  return `"${characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text}"`
}
