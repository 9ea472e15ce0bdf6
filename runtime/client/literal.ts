/** Writes text as a literal of one type. Throws a `TypeError` when the text is none. */
export type LiteralFormat = (text: string) => string

/**
 * How the properties of a type are written in a URL, where that is not as a string: by name, nested for complex types
 * and for what collections hold. Generated code declares one for each type that needs one.
 */
export interface LiteralFormats {
  readonly [property: string]: LiteralFormat | LiteralFormats
}

/**
 * The text between quotes, those in it doubled.
 *
 * @see OData ABNF, `string`
 */
export const quoted: LiteralFormat = text => `'${text.replaceAll("'", "''")}'`

/** A value as a literal: text in the given format, everything else as what it is. */
export const literal = (value: unknown, format: LiteralFormat = quoted): string => {
  if (typeof value === 'string') return format(value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    return `${value}`.replace('Infinity', 'INF')
  }
  throw new TypeError(`Expected text, a number, a boolean or null to compare with, found ${typeof value}.`)
}
