import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterPrefix } from './conditions.js'

it.each([
  ['a', 'b'],
  ['az', 'a{'],
  ['\ud7ff', '\ue000'],
  ['\uffff', '\u{10000}'],
  ['a\u{10ffff}', 'b'],
  ['\u{10ffff}', undefined],
  ['', undefined],
])('the first text after all texts with the prefix %j is %j', (prefix, end) => {
  expect(afterPrefix(prefix)).toBe(end)
})

it('exactly the texts in between have the prefix', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    maxLength: 4,
  })
  const isLess = (left: string, right: string): boolean => Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0
  fc.assert(
    fc.property(text, text, (whole, prefix) => {
      const end = afterPrefix(prefix)
      const isBetween = !isLess(whole, prefix) && (end === undefined || isLess(whole, end))
      expect(isBetween).toBe(whole.startsWith(prefix))
    }),
  )
})
