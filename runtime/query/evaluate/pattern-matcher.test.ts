import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, parsePattern } from './pattern.js'
import { matchesPattern, PatternTooSlow, patternMatcher } from './pattern-matcher.js'
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

/** A text without structure, the same each time: nearly every character leads to a new state of a pattern that counts. */
function noise(length: number): string {
  let seed = 1
  let text = ''
  for (let index = 0; index < length; index++) {
    seed = (seed * 48_271) % 2_147_483_647
    text += seed % 2 === 0 ? 'a' : 'b'
  }
  return text
}

/** The steps that a search takes. */
function stepsOf(text: string, pattern: string): number {
  const budget = { left: Number.MAX_SAFE_INTEGER }
  patternMatcher(pattern)(text, budget)
  return Number.MAX_SAFE_INTEGER - budget.left
}

describe('the steps of a pattern', () => {
  it('are no more than one for each character and part, whatever the pattern is', () => {
    const pattern = fc.constantFrom(
      ...patterns,
      '(a+)+$',
      '(a|aa)+$',
      'a[ab]{40}c',
      '(?:a?b?){20}c',
      '(.*)*x',
      '\\bab\\b',
    )
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), maxLength: 200 }), (source, text) => {
        const { instructions, atoms } = compilePattern(parsePattern(source))
        const classes = 4 * atoms.length
        expect(stepsOf(text, source)).toBeLessThanOrEqual((text.length + 1) * (instructions.length + 1) + classes)
      }),
    )
  })

  it.each(['x', 'a.c', '^[ab]+x', '(?:a|b)*x$', '\\bx', '(a+)+x'])(
    'are about one for each character with %s',
    pattern => {
      expect(stepsOf(noise(20_000), pattern)).toBeLessThan(20_000 * 1.1)
    },
  )

  it('end a match that takes more, and count for all texts that share a budget', () => {
    const matcher = patternMatcher('a[ab]{400}c')
    expect(() => matcher(noise(5_000), { left: 100_000 })).toThrow(PatternTooSlow)
    expect(matcher(`${'a'.repeat(500)}c`, { left: 400_000 })).toBe(true)
    const shared = { left: 1_000 }
    const short = patternMatcher('x')
    expect(short('b'.repeat(900), shared)).toBe(false)
    expect(() => short('b'.repeat(900), shared)).toThrow(PatternTooSlow)
  })

  it('have a limit without a budget', () => {
    expect(() => matchesPattern(noise(100_000), 'a[ab]{900}c')).toThrow(PatternTooSlow)
  })
})

describe('a matcher that forgets its states', () => {
  it.each(['a[ab]{60}c', 'a[ab]{60}bb$', '(?:a[ab]{30}|b[ab]{29})c', '\\ba[ab]{70}'])(
    'still finds what %s matches',
    pattern => {
      const matcher = patternMatcher(pattern)
      const expression = new RegExp(pattern, 'u')
      const long = noise(3_000)
      const all = [
        long,
        `${long}c`,
        'ab',
        `${long}bb`,
        'c',
        `${long} ${long}`,
        long.slice(100),
        `c${long.slice(0, 80)}`,
      ]
      for (const text of all) expect(matcher(text)).toBe(expression.test(text))
    },
  )
})
