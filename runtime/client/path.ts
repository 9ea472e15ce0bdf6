import { throwTypeError } from './errors.js'
import { type LiteralFormat, literal } from './literals.js'

/** Builds the path of an operation from its first arguments. Its `length` is the number of these arguments. */
export type PathTemplate = (...keys: readonly unknown[]) => string

/**
 * Formats a key as a percent-encoded path segment. Throws a `TypeError` for an empty key, which would address the whole
 * collection, and for `.` and `..`, which are dot segments.
 */
export const segment = (key: unknown): string => {
  const text = `${key ?? ''}`
  return /^\.{0,2}$/.test(text) ? throwTypeError('a key', key) : encodeURIComponent(text)
}

type FormatsByName = Readonly<Record<string, LiteralFormat>>

/**
 * Formats named values for a path, percent-encoded, `(isbn='x',number=2)`: the parts of a composite key, or the
 * parameters of a function. Optional values that are undefined are omitted. A missing required value throws a
 * `TypeError`.
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

/**
 * Formats a key with one part in parentheses, percent-encoded, `('O''Neil')`. Throws a `TypeError` if the key is not a
 * primitive value.
 *
 * @see OData 4.01 URL Conventions, 4.3.1 (canonical URL)
 */
export const keyPredicate = (key: unknown, format: LiteralFormat): string =>
  `(${encodeURIComponent(literal(key, format))})`
