import { unexpected } from './unexpected.js'

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
export const quoted: LiteralFormat = text => `'${text.replace(/'/g, "''")}'`

/** A value as a literal: text in the format, if there is one, everything else as what it is. */
export const literal = (value: unknown, format?: LiteralFormat | LiteralFormats): string =>
  typeof value === 'string'
    ? (typeof format === 'function' ? format : quoted)(value)
    : Array.isArray(value)
      ? `(${value.map(item => literal(item, format)).join()})`
      : value === undefined || value === Object(value)
        ? unexpected('a primitive value', value)
        : `${value}`
