import { describe, expect, it } from 'vitest'
import { parseSearch } from '../search.js'
import { jsonValue } from './conversion.js'
import { matchesSearch } from './search.js'

const item = jsonValue({ name: 'Hello-World blue', note: 'Green apples', '@x.y': 'hidden', n: 5 }, undefined, undefined)

describe('matchesSearch', () => {
  it.each([
    ['hello', true],
    ['HELLO', true],
    ['hell', false],
    ['blue green', true],
    ['blue AND red', false],
    ['blue OR red', true],
    ['NOT red', true],
    ['NOT (red OR blue)', false],
    ['"hello world"', true],
    ['"world hello"', false],
    ['"name:blue"', true],
    ['"name:green"', false],
    ['"note:green"', true],
    ['"other:green"', false],
    ['hidden', false],
    ['"!"', false],
  ])('for %s is %s', (text, expected) => {
    expect(matchesSearch(parseSearch(text), item)).toBe(expected)
  })

  it('searches only the given properties', () => {
    expect(matchesSearch(parseSearch('green'), item, ['name'])).toBe(false)
    expect(matchesSearch(parseSearch('green'), item, ['note'])).toBe(true)
  })
})
