import { describe, expect, it } from 'vitest'
import { applyChange, matchesElided } from './commands.js'

describe('an output block with … in it', () => {
  it.each([
    ['a\n…\nc', 'a\nb\nb\nc', true],
    ['a\n…\nc', 'a\nc', true],
    ['…', '', true],
    ['a … (b)', 'a 12 (b)', true],
    ['a … b', 'a 12\n b', false],
    ['a\n…', 'b\na', false],
    ['a.c', 'abc', false],
    ['a', 'a\nb', false],
  ])('%j matches %j: %s', (shown, printed, expected) => {
    expect(matchesElided(shown, printed)).toBe(expected)
  })
})

describe('a diff block', () => {
  it('adds and removes lines at the context lines', () => {
    expect(applyChange('a\nb\n  c\nd\n', ' b\n-  c\n+  e\n+f\n d')).toBe('a\nb\n  e\nf\nd\n')
  })

  it.each(['a\na\n', 'b\n'])('fails unless its context occurs exactly once: not in %j', text => {
    expect(() => applyChange(text, ' a\n+b')).toThrow('The file has these lines')
  })
})
