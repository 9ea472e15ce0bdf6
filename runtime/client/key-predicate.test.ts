import { describe, expect, it } from 'vitest'
import { keyPredicate } from './key-predicate.js'
import { quoted } from './literal.js'
import { guid } from './literal-formats.js'

const id = '01234567-89ab-cdef-0123-456789abcdef'

describe('a key in parentheses', () => {
  it.each([
    [7, quoted, '(7)'],
    ["O'Neil/x ?", quoted, "('O''Neil%2Fx%20%3F')"],
    ['', quoted, "('')"],
    [id, guid, `(${id})`],
  ])('%j', (key, format, text) => {
    expect(keyPredicate(key, format)).toBe(text)
  })

  it.each([
    [undefined, quoted],
    [{ id }, quoted],
    ['1', guid],
  ])('%j is refused', (key, format) => {
    expect(() => keyPredicate(key, format)).toThrow(TypeError)
  })
})
