import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonBody } from './exchange.js'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('the JSON of a body', () => {
  it('is what was sent', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        expect(JSON.stringify(parseJsonBody(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it.each(['', ' ', 'no', '{"a":', "{'a':1}", 'NaN'])('is none in %j', text => {
    expect(parseJsonBody(text)).toBeUndefined()
  })

  it.each([
    ['of many levels', nested(1000)],
    ['of many brackets', `[${'{},'.repeat(2_000)}{}]`],
  ])('%s is read', (_, text) => {
    expect(JSON.stringify(parseJsonBody(text))).toBe(text)
  })

  it.each([
    ['of more levels than can be looked at', nested(1001)],
    ['of objects of too many levels', `${'{"a":'.repeat(1100)}1${'}'.repeat(1100)}`],
    ['that is deep beside what is flat', `[1,${nested(1100)}]`],
    ['so deep that walking through it would end the process', nested(200_000)],
    ['so deep, of names that hide functions', `${'{"toString":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ])('%s is none', (_, text) => {
    expect(parseJsonBody(text)).toBeUndefined()
  })

  it.each([
    '{"toString":1}',
    '{"valueOf":1,"toString":{"toString":null}}',
    '{"a":[{"to\\u0053tring":1}]}',
    '{"\\u0076alueOf":1,"toString":"x"}',
    '{"__proto__":{"toString":1}}',
  ])('can be made a text of, and is written as it came: %s', text => {
    const json = parseJsonBody(text)
    expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(text)))
    expect(String(json)).toBe('[object Object]')
    expect(`${Object.values(Object(json))}`).not.toBe('')
    expect(Number(json)).toBeNaN()
  })
})
