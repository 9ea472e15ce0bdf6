import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonBody } from './exchange.js'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('a JSON body', () => {
  it('is what was sent', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        expect(JSON.stringify(parseJsonBody(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it.each([
    ['{"a":9007199254740993}', { a: '9007199254740993' }],
    ['[12345678901234567890.5,0.1234567890123456789]', ['12345678901234567890.5', '0.1234567890123456789']],
    [
      '[9007199254740992,0.30000000000000004,"9007199254740993"]',
      [9007199254740992, 0.30000000000000004, '9007199254740993'],
    ],
    ['{"a\\"9007199254740993":1}', { 'a"9007199254740993': 1 }],
  ])('%s has text for numbers with too many digits', (text, expected) => {
    expect(parseJsonBody(text)).toEqual(expected)
  })

  it.each(['', ' ', 'no', '{"a":', "{'a':1}", 'NaN'])('is absent in %j', text => {
    expect(parseJsonBody(text)).toBeUndefined()
  })

  it.each([
    ['with deep nesting', nested(1000)],
    ['with many brackets', `[${'{},'.repeat(2_000)}{}]`],
  ])('%s is parsed', (_, text) => {
    expect(JSON.stringify(parseJsonBody(text))).toBe(text)
  })

  it.each([
    ['beyond the nesting limit', nested(1001)],
    ['with objects beyond the nesting limit', `${'{"a":'.repeat(1100)}1${'}'.repeat(1100)}`],
    ['with one deep and many flat members', `[1,${nested(1100)}]`],
    ['so deep that recursion would overflow the stack', nested(200_000)],
    ['so deep, with names that shadow methods', `${'{"toString":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ])('%s is rejected', (_, text) => {
    expect(parseJsonBody(text)).toBeUndefined()
  })

  it.each([
    '{"toString":1}',
    '{"valueOf":1,"toString":{"toString":null}}',
    '{"a":[{"to\\u0053tring":1}]}',
    '{"\\u0076alueOf":1,"toString":"x"}',
    '{"__proto__":{"toString":1}}',
  ])('converts to text, and serializes unchanged: %s', text => {
    const json = parseJsonBody(text)
    expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(text)))
    expect(String(json)).toBe('[object Object]')
    expect(`${Object.values(Object(json))}`).not.toBe('')
    expect(Number(json)).toBeNaN()
  })
})
