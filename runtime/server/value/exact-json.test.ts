import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonText, parseExactJson, printJson } from './exact-json.js'

describe('JSON with exact numbers', () => {
  it.each([
    '12345678901234567890.123456789012345678',
    '[9007199254740993,-9223372036854775808,0.1]',
    '{"a":{"b":[1.00000000000000000001]},"text":"12345678901234567890 \\" 1e400"}',
    '{"__proto__":12345678901234567891}',
    '1e400',
  ])('%s is printed as it was parsed', text => {
    expect(printJson(parseExactJson(text))).toBe(text)
  })

  it('has JavaScript numbers where they lose nothing', () => {
    expect(parseExactJson('[1,0.1,1e21,9007199254740991,0.30000000000000004,100000000000000000000]')).toEqual([
      1, 0.1, 1e21, 9007199254740991, 0.30000000000000004, 100000000000000000000,
    ])
  })

  it('is the same as JSON for every value without long numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify(value)
        expect(printJson(parseExactJson(text))).toBe(text)
      }),
    )
  })

  it('prints a text inside a value as it is', () => {
    expect(printJson({ a: [new JsonText('{"b":"\\u0000\\"\\\\"}')] })).toBe('{"a":[{"b":"\\u0000\\"\\\\"}]}')
    expect(JSON.stringify({ a: new JsonText('[1]') })).toBe('{"a":[1]}')
  })

  it('fails for text that is not JSON', () => {
    expect(() => parseExactJson('[12345678901234567890,]')).toThrow(SyntaxError)
    expect(() => parseExactJson('01234567890123456789')).toThrow(SyntaxError)
  })
})
