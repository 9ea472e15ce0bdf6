import { compareDecimals, type Decimal, decimalText, fromInteger } from './decimal.js'
import type { NumericValue, Value } from './value.js'

export function isNumeric(value: Value): value is NumericValue {
  if (value === null || typeof value === 'boolean') return false
  return value.kind === 'integer' || value.kind === 'decimal' || value.kind === 'double'
}

export function toDouble(value: NumericValue): number {
  switch (value.kind) {
    case 'double':
      return value.value
    case 'integer':
      return Number(value.value)
    case 'decimal':
      return Number(decimalText(value.value))
  }
}

/** The exact number; a double has none here. */
export function toDecimal(value: Exclude<NumericValue, { readonly kind: 'double' }>): Decimal {
  return value.kind === 'integer' ? fromInteger(value.value) : value.value
}

/**
 * Compares two numbers of any types, exactly unless one is a double; NaN when they have no order.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.18 (numeric promotion)
 */
export function compareNumbers(left: NumericValue, right: NumericValue): number {
  if (left.kind !== 'double' && right.kind !== 'double') return compareDecimals(toDecimal(left), toDecimal(right))
  const a = toDouble(left)
  const b = toDouble(right)
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN
  return a < b ? -1 : a > b ? 1 : 0
}
