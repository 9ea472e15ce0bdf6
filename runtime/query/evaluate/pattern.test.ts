import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesPattern } from './pattern.js'
import { EvaluationError } from './value.js'

const patterns = [
  '',
  'a',
  '^a',
  'a$',
  '^a$',
  '^$',
  'ab|cd',
  '^(?:ab|cd)$',
  '^(ab|c)*$',
  'a*b',
  'a+b',
  'a?b',
  'a{2}',
  '^a{2,}$',
  '^a{1,2}$',
  '^a{0}$',
  '^(a|b){2,3}$',
  '.',
  '^.$',
  '^..$',
  '[ab]',
  '^[^ab]+$',
  '^[a-c0-9_]+$',
  '\\d',
  '^\\w+$',
  '\\s',
  '^\\S*$',
  '\\D\\W',
  '\\bab\\b',
  'a\\B',
  '\\.',
  '\\u0061',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\x61',
  '\\p{Lu}',
  '\\P{L}',
  '(?<name>a)b',
  'a+?b',
  'a*?$',
  '^(a*)*$',
  '^(a|aa)+$',
  '[\\]]',
  '[\\d.-]',
  '\\n',
  '\\cA',
  '^(?:a?){3}a{3}$',
  '((a)|(b))c',
  '|a',
  '^(|a)b',
]
const texts = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'aaa',
  'abab',
  'cd',
  'abc',
  'A',
  '😀',
  'a😀b',
  '0',
  'a.b',
  ' ',
  'a b',
  '\n',
  ']',
  'x-1',
  'bc',
  'ac',
  '_',
  '\u0001',
  'ä',
]

describe('matchesPattern', () => {
  it.each(patterns)('returns the same result as JavaScript for %j', pattern => {
    for (const text of texts)
      expect([text, matchesPattern(text, pattern)]).toEqual([text, new RegExp(pattern, 'u').test(text)])
  })

  it('returns the same result as JavaScript for random patterns', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '(a|b)', '(?:ab)', '^', '$', '\\b')
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?')
    const part = fc
      .tuple(atom, quantifier)
      .map(([source, count]) => (/^(?:\^|\$|\\b)$/.test(source) ? source : source + count))
    const sequence = fc.array(part, { maxLength: 4 }).map(parts => parts.join(''))
    const pattern = fc.array(sequence, { minLength: 1, maxLength: 3 }).map(parts => parts.join('|'))
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 }), (source, text) => {
        expect(matchesPattern(text, source)).toBe(new RegExp(source, 'u').test(text))
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['(a+)+$', '^(a|a)*$', '(a*)*b', '(a|aa)+$', '(.*)*x'])(
    'is quick where backtracking would never end: %s',
    pattern => {
      expect(matchesPattern(`${'a'.repeat(2000)}!`, pattern)).toBe(false)
    },
  )

  it.each([
    '(',
    '[',
    'a**',
    '\\',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '((((a{50}){50}){50}){50})',
    '(){1000000000}',
    '((((){999}){999}){999}){999}',
  ])('rejects %s', pattern => {
    expect(() => matchesPattern('a', pattern)).toThrow(EvaluationError)
  })

  it('rejects a pattern that nests too deep', () => {
    expect(() => matchesPattern('a', `${'('.repeat(1000)}a${')'.repeat(1000)}`)).toThrow(EvaluationError)
  })
})
