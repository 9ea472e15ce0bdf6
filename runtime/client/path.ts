import { throwTypeError } from './errors.js'

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

export type FormatsByName = Readonly<Record<string, LiteralFormat>>

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

/** Writes text as a literal of one type. Throws a `TypeError` if the text isn't a value of the type. */
export type LiteralFormat = (text: string) => string

/**
 * How to write the properties of a type in a URL, for properties that are not written as strings. Complex types and the
 * items of collections nest. Generated code declares one for each type that needs one.
 */
export interface LiteralFormats {
  readonly [property: string]: LiteralFormat | LiteralFormats
}

/**
 * The text in single quotes. Quotes in the text are doubled.
 *
 * @see OData ABNF, `string`
 */
export const quoted: LiteralFormat = text => `'${text.replace(/'/g, "''")}'`

/** Writes a value as a literal. A string is written in the format, if there is one. */
export const literal = (value: unknown, format?: LiteralFormat | LiteralFormats): string =>
  typeof value === 'string'
    ? (typeof format === 'function' ? format : quoted)(value)
    : Array.isArray(value)
      ? `(${value.map(item => literal(item, format)).join()})`
      : value === undefined || value === Object(value)
        ? throwTypeError('a primitive value', value)
        : `${value}`

const matching = (text: string, pattern: RegExp, expected: string): string =>
  pattern.test(text) ? text : throwTypeError(expected, text)

/** `2024-01-31T12:00:00Z` @see OData ABNF, `dateTimeOffsetValue` */
export const dateTimeOffset: LiteralFormat = text =>
  matching(text, /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/, 'a DateTimeOffset')

/** `2024-01-31` @see OData ABNF, `dateValue` */
export const date: LiteralFormat = text => matching(text, /^-?\d{4,}-\d\d-\d\d$/, 'a Date')

/** `12:30:00` @see OData ABNF, `timeOfDayValue` */
export const timeOfDay: LiteralFormat = text => matching(text, /^\d\d:\d\d(:\d\d(\.\d+)?)?$/, 'a TimeOfDay')

/** `184efa21-98c3-4e5d-95ab-d07053a96e67` @see OData ABNF, `guidValue` */
export const guid: LiteralFormat = text => matching(text, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'a Guid')

/** `duration'P1DT12H'` @see OData ABNF, `duration` */
export const duration: LiteralFormat = text =>
  `duration'${matching(text, /^[+-]?P(?=.)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/, 'a Duration')}'`

/** `binary'AQID'`, base64url @see OData ABNF, `binary` */
export const binary: LiteralFormat = text =>
  `binary'${matching(text, /^([\w-]{4})*([\w-]{2}[AEIMQUYcgkosw048]=?|[\w-][AQgw](==)?)?$/, 'a Binary in base64url')}'`

/** The digits of an Int64 or Decimal, which a JavaScript number would round. @see OData ABNF, `decimalValue` */
export const number: LiteralFormat = text => matching(text, /^(-?\d+(\.\d+)?(e[+-]?\d+)?|-?INF|NaN)$/i, 'a number')
