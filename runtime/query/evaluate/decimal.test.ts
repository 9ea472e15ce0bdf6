import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  compareDecimals,
  type Decimal,
  decimalText,
  divide,
  floor,
  multiply,
  negate,
  parseDecimal,
  remainder,
  round,
  subtract,
} from './decimal.js'

const decimal: fc.Arbitrary<Decimal> = fc.record({
  coefficient: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.nat(20),
})

describe('decimal numbers', () => {
  it.each([
    ['12.50', '12.5'],
    ['-0.05', '-0.05'],
    ['0', '0'],
    ['-0', '0'],
    ['100', '100'],
    ['0.000', '0'],
    ['+7', '7'],
    ['99999999999999999999.000000000000000000001', '99999999999999999999.000000000000000000001'],
  ])('print %s as %s', (text, expected) => {
    expect(decimalText(parseDecimal(text))).toBe(expected)
  })

  it.each([
    ['2.5', 2n, 3n],
    ['-2.5', -3n, -3n],
    ['-0.5', -1n, -1n],
    ['0.49', 0n, 0n],
    ['-7', -7n, -7n],
  ])('round %s down to %d and to the nearest %d', (text, down, nearest) => {
    expect(floor(parseDecimal(text))).toBe(down)
    expect(round(parseDecimal(text))).toBe(nearest)
  })

  it('obey the laws of arithmetic exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, decimal, (a, b, c) => {
        expect(compareDecimals(subtract(add(a, b), b), a)).toBe(0)
        expect(compareDecimals(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)))).toBe(0)
        expect(compareDecimals(add(a, negate(a)), parseDecimal('0'))).toBe(0)
        expect(compareDecimals(parseDecimal(decimalText(a)), a)).toBe(0)
        expect(Math.sign(compareDecimals(a, b))).toBe(-Math.sign(compareDecimals(b, a)))
      }),
    )
  })

  it('divide to a matching quotient and remainder', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        fc.pre(b.coefficient !== 0n)
        const rest = remainder(a, b)
        const quotient = divide(subtract(a, rest), b)
        expect(compareDecimals(add(multiply(quotient, b), rest), a)).toBe(0)
      }),
    )
  })
})
