import { throwTypeError } from './errors.js'
import { type LiteralFormat, literal } from './literals.js'

/** Makes the path of an operation from its leading arguments; how many it takes, its `length` says. */
export type PathTemplate = (...keys: readonly unknown[]) => string

/**
 * A key as a path segment, percent-encoded. Throws a `TypeError` for what cannot be one: empty text would address the
 * whole collection, and dots are steps of the path.
 */
export const segment = (key: unknown): string => {
  const text = `${key ?? ''}`
  return /^\.{0,2}$/.test(text) ? throwTypeError('a key', key) : encodeURIComponent(text)
}

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

/**
 * A key of one part in parentheses, `('O''Neil')`, percent-encoded. Throws a `TypeError` for what is no primitive value.
 *
 * @see OData 4.01 URL Conventions, 4.3.1 (canonical URL)
 */
export const keyPredicate = (key: unknown, format: LiteralFormat): string =>
  `(${encodeURIComponent(literal(key, format))})`
