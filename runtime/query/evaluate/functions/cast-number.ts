import { type Decimal, decimalText, fromInteger, parseScientific, round } from '../decimal.js'
import { integer, type Present, type Value } from '../value.js'

const integerRanges: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  'Edm.SByte': [-128n, 127n],
  'Edm.Byte': [0n, 255n],
  'Edm.Int16': [-32_768n, 32_767n],
  'Edm.Int32': [-2_147_483_648n, 2_147_483_647n],
  'Edm.Int64': [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
}

/** The texts that are no digits, of floating-point numbers alone. */
const words: Readonly<Record<string, number>> = {
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
}

import { integerText } from '../text-cast.js'
/**
 * A value as one of a numeric type, rounded where that has to be, halves away from zero; null when it does not fit, or when
 * a text is no literal of that type. Undefined: the type is not numeric.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function castToNumber(value: Exclude<Present, boolean>, type: string): Value | undefined {
  const range = Object.hasOwn(integerRanges, type) ? integerRanges[type] : undefined
  const isFloating = type === 'Edm.Double' || type === 'Edm.Single'
  if (range === undefined && !isFloating && type !== 'Edm.Decimal') return undefined
  if (range !== undefined && value.kind === 'string' && !integerText.test(value.text)) return null
  const number = numberOf(value)
  if (number === undefined) return null
  if (isFloating) return floating(number, type === 'Edm.Single')
  if (typeof number === 'number') return null
  if (range === undefined) return { kind: 'decimal', value: number }
  const rounded = round(number)
  return rounded >= range[0] && rounded <= range[1] ? integer(rounded) : null
}

/** The exact number, that of the fewest digits for a double; as a number only what has no digits. */
function numberOf(value: Exclude<Present, boolean>): Decimal | number | undefined {
  switch (value.kind) {
    case 'integer':
      return fromInteger(value.value)
    case 'decimal':
      return value.value
    case 'double':
      return Number.isFinite(value.value) ? parseScientific(String(value.value)) : value.value
    case 'enum':
      return value.number === undefined ? undefined : fromInteger(value.number)
    case 'string':
      return Object.hasOwn(words, value.text) ? words[value.text] : parseScientific(value.text)
    default:
      return undefined
  }
}

/** What would become infinite does not fit. */
function floating(number: Decimal | number, isSingle: boolean): Value {
  const double = typeof number === 'number' ? number : Number(decimalText(number))
  const value = isSingle ? Math.fround(double) : double
  return Number.isFinite(value) || typeof number === 'number' ? { kind: 'double', value } : null
}
