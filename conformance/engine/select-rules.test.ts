import { expect, it } from 'vitest'
import { matchesWildcard } from './select-rules.js'

it.each([
  ['paging-covers', 'paging-covers', true],
  ['paging-covers', 'paging-cover', false],
  ['paging-*', 'paging-covers', true],
  ['*-covers', 'paging-covers', true],
  ['*', '', true],
  ['p*g-*s', 'paging-covers', true],
  ['p*g-*x', 'paging-covers', false],
  ['a*a', 'a', false],
  ['**', 'anything', true],
  ['.*', 'paging', false],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(matchesWildcard(pattern, text)).toBe(expected)
})
