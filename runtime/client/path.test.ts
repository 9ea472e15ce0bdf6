import { describe, expect, it } from 'vitest'
import { date, guid, quoted } from './literals.js'
import { inline, keyPredicate, segment } from './path.js'

describe('a key as a path segment', () => {
  it.each([
    ['1', '1'],
    ['a/b?c#d e%', 'a%2Fb%3Fc%23d%20e%25'],
    ['AAMk+/=', 'AAMk%2B%2F%3D'],
    ['...', '...'],
    ['é', '%C3%A9'],
    [7, '7'],
  ])('%j is written as %s', (key, text) => {
    expect(segment(key)).toBe(text)
  })

  it.each(['', '.', '..', undefined, null])('%j is rejected, because it would address another resource', key => {
    expect(() => segment(key)).toThrow(TypeError)
  })
})

describe('named values in a path', () => {
  it.each([
    [{ isbn: "9'7", number: 2 }, "(isbn='9''7',number=2)"],
    [{ number: 2, isbn: '9/7' }, "(isbn='9%2F7',number=2)"],
  ])('%j are written as %s, in the declared order', (values, text) => {
    expect(inline(values, { isbn: quoted, number: quoted })).toBe(text)
  })

  it('omit absent optional values', () => {
    expect(inline({ on: '2024-01-31', limit: undefined }, { on: date }, { limit: quoted })).toBe('(on=2024-01-31)')
    expect(inline({ on: '2024-01-31', limit: 3 }, { on: date }, { limit: quoted })).toBe('(on=2024-01-31,limit=3)')
    expect(inline(undefined, {}, { limit: quoted })).toBe('()')
  })

  it('are rejected if a required value is missing or a value is not a literal of its type', () => {
    expect(() => inline({ isbn: '1' }, { isbn: quoted, number: quoted })).toThrow(TypeError)
    expect(() => inline(undefined, { isbn: quoted })).toThrow(TypeError)
    expect(() => inline({ on: '2024-01-31)/x(' }, { on: date })).toThrow(TypeError)
  })
})

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
  ])('%j is rejected', (key, format) => {
    expect(() => keyPredicate(key, format)).toThrow(TypeError)
  })
})
