import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOrderCertain, orderInAllCollations } from './collation.js'

describe('the order of two words in all collations', () => {
  it.each([
    ['bed', 'fed', -1],
    ['Lisa', 'Lisabon', -1],
    ['tone', 'tune', -1],
    ['rope', 'robe', 1],
  ])('%s and %s: %i', (left, right, sign) => {
    expect(Math.sign(orderInAllCollations(left, right) ?? 0)).toBe(sign)
  })

  it.each([
    ['Bed', 'fed', 'case'],
    ['chat', 'cut', 'double letters'],
    ['Aarhus', 'Abel', 'double letters at the start'],
    ['a b', 'ab', 'spaces'],
    ['é', 'f', 'accents'],
    ['zebra', 'unit', 'letters with different positions'],
    ['same', 'same', 'equality'],
    ['', 'a', 'nothing'],
  ])('%s and %s have no common order: %s', (left, right) => {
    expect(orderInAllCollations(left, right)).toBeUndefined()
  })

  it('agrees with code points, with ignored case, and with locales', () => {
    const text = fc.string({ unit: fc.constantFrom(...'bdegikmnoprtuacy'), maxLength: 5 })
    const languages = ['en', 'de', 'da', 'cs', 'es', 'hu', 'lt', 'tr', 'et', 'cy'].map(name => new Intl.Collator(name))
    fc.assert(
      fc.property(text, text, (left, right) => {
        const sign = orderInAllCollations(left, right)
        if (sign === undefined) return
        expect(Math.sign(sign)).toBe(left < right ? -1 : 1)
        for (const language of languages) expect(Math.sign(sign)).toBe(Math.sign(language.compare(left, right)))
      }),
      { numRuns: 500 },
    )
  })
})

it.each([
  ['Alpha', 'Alto', true],
  ['Alpha', 'Alphabet', true],
  ['a1', 'b1', true],
  ['Alpha', 'alpha', false],
  ['Alpha', 'Alpha ', false],
  ['re-sign', 'resign', false],
  ['a1', 'a01', false],
  ['1.0', '1.00', false],
  ['Vera', 'Wera', false],
  ['Iris', 'Yris', false],
  ['Åse', 'Bo', false],
  [`${'a'.repeat(60)}b`, `${'a'.repeat(60)}c`, false],
])('%j and %j: %s', (left, right, expected) => {
  expect(isOrderCertain(left, right)).toBe(expected)
  expect(isOrderCertain(right, left)).toBe(expected)
})
