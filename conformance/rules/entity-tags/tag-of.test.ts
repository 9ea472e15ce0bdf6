import { describe, expect, it } from 'vitest'
import { isTag, opaqueTag } from './tag-of.js'

describe('an entity tag', () => {
  it.each<[text: string, isOne: boolean]>([
    ['"1"', true],
    ['W/"1"', true],
    ['""', true],
    ['W/"a,b;c=+/"', true],
    ['1', false],
    ['w/"1"', false],
    ['"1', false],
    ['"a"b"', false],
    ['*', false],
  ])('is quoted text, weak or not: %s', (text, isOne) => {
    expect(isTag(text)).toBe(isOne)
  })

  it('is the same weak and strong, by the weak comparison', () => {
    expect(opaqueTag('W/"1"')).toBe(opaqueTag('"1"'))
    expect(opaqueTag('W/"1"')).not.toBe(opaqueTag('"2"'))
  })
})
