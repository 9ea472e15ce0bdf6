import { expect, it } from 'vitest'
import { neverTied } from './never-tied.js'

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
  expect(neverTied(left, right)).toBe(expected)
  expect(neverTied(right, left)).toBe(expected)
})
