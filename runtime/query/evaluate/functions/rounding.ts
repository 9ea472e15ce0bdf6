import type { Decimal } from '../decimal.js'
import { floor, fromInteger, negate, round } from '../decimal.js'
import { isNumeric } from '../numeric.js'
import { numericOrTemporal } from '../operand-text.js'
import type { Present, Value } from '../value.js'
import { type CanonicalFunction, misfit } from './function.js'

/** Halves are rounded away from zero. @see OData 4.01 URL Conventions, 5.1.1.9 */
export const roundingFunctions: Readonly<Record<string, CanonicalFunction>> = {
  round: ([value]) => rounded('round', value, round, number => Math.sign(number) * Math.floor(Math.abs(number) + 0.5)),
  floor: ([value]) => rounded('floor', value, floor, Math.floor),
  ceiling: ([value]) => rounded('ceiling', value, number => -floor(negate(number)), Math.ceil),
}

function rounded(
  name: string,
  argument: Present | undefined,
  onDecimal: (number: Decimal) => bigint,
  onDouble: (number: number) => number,
): Value {
  const value = argument === undefined ? argument : numericOrTemporal(argument)
  if (value === undefined || !isNumeric(value)) return misfit(name, argument, 'a number')
  switch (value.kind) {
    case 'integer':
      return value
    case 'decimal':
      return { kind: 'decimal', value: fromInteger(onDecimal(value.value)) }
    case 'double':
      return { kind: 'double', value: onDouble(value.value) }
  }
}
