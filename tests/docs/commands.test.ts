import { describe, expect, it } from 'vitest'
import { applyChange, matchesElided } from './commands.js'

describe('what a page shows of a text with … in it', () => {
  it.each([
    ['a\n…\nc', 'a\nb\nb\nc', true],
    ['a\n…\nc', 'a\nc', true],
    ['…', '', true],
    ['a … (b)', 'a 12 (b)', true],
    ['a … b', 'a 12\n b', false],
    ['a\n…', 'b\na', false],
    ['a.c', 'abc', false],
    ['a', 'a\nb', false],
  ])('%j of %j: %s', (shown, printed, expected) => {
    expect(matchesElided(shown, printed)).toBe(expected)
  })
})

describe('a change on a page', () => {
  it('adds and takes away lines where the others are', () => {
    expect(applyChange('a\nb\n  c\nd\n', ' b\n-  c\n+  e\n+f\n d')).toBe('a\nb\n  e\nf\nd\n')
  })

  it.each(['a\na\n', 'b\n'])('has one place only: not in %j', text => {
    expect(() => applyChange(text, ' a\n+b')).toThrow('The file has these lines')
  })
})
