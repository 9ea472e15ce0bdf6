import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from './code-points.js'

describe('compareCodePoints', () => {
  it('orders texts as their arrays of code points', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀', '\u{10ffff}'),
      maxLength: 4,
    })
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareCodePoints(left, right))).toBe(orderOfCodePoints(left, right))
      }),
    )
  })
})

function orderOfCodePoints(left: string, right: string): number {
  const a = Array.from(left, character => character.codePointAt(0) ?? 0)
  const b = Array.from(right, character => character.codePointAt(0) ?? 0)
  const index = a.findIndex((code, place) => code !== b[place])
  if (index === -1) return Math.sign(a.length - b.length)
  return index >= b.length ? 1 : Math.sign((a[index] ?? 0) - (b[index] ?? 0))
}
