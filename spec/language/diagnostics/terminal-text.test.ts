import { describe, expect, it } from 'vitest'
import { wrapText } from './terminal-text.js'

describe('a text is wrapped at blanks', () => {
  it.each([
    ['a bc def', 4, ['a bc', 'def']],
    ['a bc def', 80, ['a bc def']],
    ['a\nbc def', 6, ['a', 'bc def']],
    ['abcdefgh i', 4, ['abcdefgh', 'i']],
    ['a b', Number.POSITIVE_INFINITY, ['a b']],
    ['', 4, ['']],
  ])('%j in %d columns: %j', (text, columns, expected) => {
    expect(wrapText(text, columns)).toEqual(expected)
  })
})
