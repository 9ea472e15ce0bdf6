import { type LiteralFormat, literal } from './literal.js'

type FormatsByName = Readonly<Record<string, LiteralFormat>>

/**
 * Values by name in a path, `(isbn='x',number=2)`, percent-encoded: the parts of a composite key, or the parameters of a
 * function. An optional one that is undefined is left out; without a required one it throws a `TypeError`.
 *
 * @see OData 4.01 URL Conventions, 4.3.1 (canonical URL), 4.5.2 (inline parameter syntax)
 */
export const inline = (values: unknown, required: FormatsByName, optional: FormatsByName = {}): string => {
  const given = new Map(Object.entries(values ?? {}))
  const named = [
    ...Object.entries(required),
    ...Object.entries(optional).filter(([name]) => given.get(name) !== undefined),
  ]
  return `(${named.map(([name, format]) => `${name}=${encodeURIComponent(literal(given.get(name), format))}`).join()})`
}
