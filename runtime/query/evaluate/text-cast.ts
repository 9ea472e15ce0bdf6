import { guidEnd } from '../lexical/guid.js'
import { parseDecimal } from './decimal.js'
import { parseDate, parseDateTimeOffset, parseDuration, parseTimeOfDay } from './temporal-text.js'
import { integer, type NumericValue, type Value } from './value.js'

/** How a text writes a whole number. */
export const integerText: RegExp = /^[+-]?[0-9]+$/
const decimalForm = /^[+-]?[0-9]+\.[0-9]+$/
const doubleText = /^[+-]?[0-9]+(?:\.[0-9]+)?[Ee][+-]?[0-9]+$/

/**
 * The value of a kind that a text stands for, or undefined: how a string takes on the type of what it is compared with.
 *
 * @see OData 4.01 Protocol, 12.2.1 (4.01 Minimal): strings are cast to primitive types in URLs
 */
export function castText(text: string, kind: string): Value | undefined {
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'double':
      return castNumeric(text)
    case 'guid':
      return guidEnd(text, 0) === text.length ? { kind, text: text.toLowerCase() } : undefined
    case 'date':
      return parseDate(text)
    case 'dateTimeOffset':
      return parseDateTimeOffset(text)
    case 'timeOfDay':
      return parseTimeOfDay(text)
    case 'duration':
      return parseDuration(text)
    default:
      return undefined
  }
}

/** The number that a text stands for: an integer, a decimal with a point, or a double. */
export function castNumeric(text: string): NumericValue | undefined {
  if (integerText.test(text)) return integer(BigInt(text))
  if (decimalForm.test(text)) return { kind: 'decimal', value: parseDecimal(text) }
  const double = parseDouble(text)
  return double === undefined ? undefined : { kind: 'double', value: double }
}

/** The double that a text stands for, `INF` and `NaN` included. */
export function parseDouble(text: string): number | undefined {
  switch (text) {
    case 'INF':
      return Number.POSITIVE_INFINITY
    case '-INF':
      return Number.NEGATIVE_INFINITY
    case 'NaN':
      return Number.NaN
    default:
      return doubleText.test(text) || decimalForm.test(text) || integerText.test(text) ? Number(text) : undefined
  }
}
