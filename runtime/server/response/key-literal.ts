const quoted = new Set(['Edm.String', 'Edm.Duration', 'Edm.Binary'])

/**
 * A key value as a URL writes it in parentheses, percent-encoded.
 *
 * @see OData URL Conventions 4.01, 4.3.1
 */
export function keyLiteral(value: unknown, type: string): string {
  const text = String(value)
  if (!quoted.has(type) && type.startsWith('Edm.')) return encodeURIComponent(text)
  return `'${encodeURIComponent(text.replaceAll("'", "''"))}'`
}
