/** A text as a string literal of the query language. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
