import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareExactly } from './exact-decimal.js'
import { decimalDigits, sortableDecimal, storedNumber } from './sortable-decimal.js'

const digits = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 45 }))
  .map(([isNegative, coefficient, scale]) => {
    const text = String(coefficient).padStart(scale + 1, '0')
    const whole = text.slice(0, text.length - scale)
    const fraction = text.slice(text.length - scale).replace(/0+$/, '')
    const magnitude = fraction === '' ? whole : `${whole}.${fraction}`
    return isNegative && coefficient !== 0n ? `-${magnitude}` : magnitude
  })

it('the order of the texts is the order of the numbers', () => {
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      const [x = '', y = ''] = [sortableDecimal(a), sortableDecimal(b)]
      expect(x < y ? -1 : x > y ? 1 : 0).toBe(compareExactly(a, b))
    }),
  )
})

it('a sortable number keeps all digits', () => {
  fc.assert(
    fc.property(digits, text => {
      expect(decimalDigits(sortableDecimal(text))).toBe(text)
      expect(String(decimalDigits(sortableDecimal(`${text}0`.includes('.') ? `${text}0` : text)))).toBe(text)
    }),
  )
})

it.each([
  ['1.50', 1.5],
  ['-0', 0],
  ['1e3', 1000],
  ['12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
])('%s is read as %s', (text, expected) => {
  expect(storedNumber(sortableDecimal(text))).toBe(expected)
})

it.each(['', 'x', 'NaN', '1e9999'])('%j has no sortable form', text => {
  expect(sortableDecimal(text)).toBeUndefined()
})
