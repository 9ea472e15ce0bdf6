import { type LiteralFormat, literal } from './literal.js'

/**
 * A key of one part in parentheses, `('O''Neil')`, percent-encoded. Throws a `TypeError` for what is no primitive value.
 *
 * @see OData 4.01 URL Conventions, 4.3.1 (canonical URL)
 */
export const keyPredicate = (key: unknown, format: LiteralFormat): string =>
  `(${encodeURIComponent(literal(key, format))})`
