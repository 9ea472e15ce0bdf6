import { describe, expect, it } from 'vitest'
import { date, guid, quoted } from './literals.js'
import { inline, keyPredicate, segment } from './path.js'

describe('a key as a segment', () => {
  it.each([
    ['1', '1'],
    ['a/b?c#d e%', 'a%2Fb%3Fc%23d%20e%25'],
    ['AAMk+/=', 'AAMk%2B%2F%3D'],
    ['...', '...'],
    ['é', '%C3%A9'],
    [7, '7'],
  ])('%j is written %s', (key, text) => {
    expect(segment(key)).toBe(text)
  })

  it.each(['', '.', '..', undefined, null])('%j is refused: it would address something else', key => {
    expect(() => segment(key)).toThrow(TypeError)
  })
})

describe('values by name', () => {
  it.each([
    [{ isbn: "9'7", number: 2 }, "(isbn='9''7',number=2)"],
    [{ number: 2, isbn: '9/7' }, "(isbn='9%2F7',number=2)"],
  ])('%j are written %s, in the order of the service', (values, text) => {
    expect(inline(values, { isbn: quoted, number: quoted })).toBe(text)
  })

  it('leave out what is optional and absent', () => {
    expect(inline({ on: '2024-01-31', limit: undefined }, { on: date }, { limit: quoted })).toBe('(on=2024-01-31)')
    expect(inline({ on: '2024-01-31', limit: 3 }, { on: date }, { limit: quoted })).toBe('(on=2024-01-31,limit=3)')
    expect(inline(undefined, {}, { limit: quoted })).toBe('()')
  })

  it('are refused when one is missing that is required, or is no literal of its type', () => {
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
  ])('%j is refused', (key, format) => {
    expect(() => keyPredicate(key, format)).toThrow(TypeError)
  })
})
