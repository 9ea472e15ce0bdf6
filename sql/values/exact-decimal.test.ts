import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, compareExactly, joinedParts, numberParts, partsOf, rounded } from './exact-decimal.js'

describe('exact arithmetic', () => {
  it.each([
    ['mul', 0.1, 3, 'decimal', '0.3'],
    ['add', 0.1, 0.2, 'decimal', '0.3'],
    ['sub', 1, 1e-7, 'decimal', '0.9999999'],
    ['div', 1, 4, 'decimal', '0.25'],
    ['div', 7, 2, 'integer', 3],
    ['div', -7, 2, 'integer', -3],
    ['mod', -7, 2, 'integer', -1],
    ['mod', 7.5, 2, 'decimal', '1.5'],
    ['divby', 7, 2, 'decimal', '3.5'],
    ['div', 1, 0, 'integer', null],
    ['mod', 1, 0, 'decimal', null],
    ['divby', 1, 0, 'decimal', Number.POSITIVE_INFINITY],
    ['divby', -1, 0, 'decimal', Number.NEGATIVE_INFINITY],
    ['divby', 0, 0, 'decimal', 'NaN'],
    ['mul', '12345678901234567890123', 10, 'integer', '123456789012345678901230'],
    ['mod', '-100000000000000000000', 7n, 'integer', -2],
    ['add', 9007199254740991, 2, 'integer', 9007199254740993n],
    ['mul', 1e18, 1e18, 'integer', `1${'0'.repeat(36)}`],
    ['mul', 0.1, 3, 'double', 0.1 * 3],
    ['div', 1, 0, 'double', Number.POSITIVE_INFINITY],
    ['mod', 1, 0, 'double', null],
  ] as const)('%s of %d and %d as %s', (operator, left, right, kind, result) => {
    const found = calculate(operator, left, right, kind)
    expect(typeof result === 'bigint' || typeof found !== 'bigint' ? found : Number(found)).toEqual(result)
  })
})

it.each([
  ['round', 2.5, 3],
  ['round', -2.5, -3],
  ['round', 0.49999999999999994, 0],
  ['floor', -1.5, -2],
  ['ceiling', -1.5, -1],
  ['ceiling', 1e-7, 1],
] as const)('%s of %d is %d', (mode, value, result) => {
  expect(Number(rounded(mode, value))).toBeCloseTo(result, 10)
})

it.each([
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0],
  [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0],
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1],
  [1, Number.POSITIVE_INFINITY, -1],
  ['NaN', 'NaN', Number.NaN],
] as const)('%s compared with %s is %d', (left, right, result) => {
  expect(compareExactly(left, right)).toBe(result)
})

const indexes = Array.from({ length: numberParts }, (_, index) => index)

it('the sums of the parts of numbers join to the sum of the numbers', () => {
  const number = fc
    .tuple(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), fc.integer({ min: 0, max: 45 }))
    .map(([digits, scale]) => String(calculate('mul', digits, `0.${'0'.repeat(scale)}1`, 'decimal')))
    .filter(text => (text.split('.')[1] ?? '').length <= 45)
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), numbers => {
      const sums = indexes.map(index => numbers.reduce((sum, each) => sum + (partsOf(each)?.[index] ?? Number.NaN), 0))
      const sum = numbers.reduce((total, each) => String(calculate('add', total, each, 'decimal')), '0')
      expect(compareExactly(joinedParts(sums), sum)).toBe(0)
    }),
  )
})

it.each([`1${'0'.repeat(63)}`, `0.${'0'.repeat(45)}1`, 'INF'])('%s has digits that are in no part', text => {
  expect(partsOf(text)).toBeUndefined()
})
