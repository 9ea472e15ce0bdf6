import { type Decimal, decimalText, parseScientific, subtract, zero } from '../decimal.js'

/** A coordinate as the decimal number that JSON writes for it. */
export function exactCoordinate(value: number): Decimal {
  return parseScientific(String(value)) ?? zero
}

/** How far one coordinate is from another, reckoned with the digits that JSON writes for them. */
export function difference(to: number, from: number): number {
  return Number(decimalText(subtract(exactCoordinate(to), exactCoordinate(from))))
}
