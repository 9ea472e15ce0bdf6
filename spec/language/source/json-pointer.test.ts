import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointerKeys, pointerTo } from './json-pointer.js'

describe('JSON Pointers', () => {
  it('return the keys that they were made of', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[~/01]*$/))), keys => {
        expect(pointerKeys(keys.reduce<string>((pointer, key) => pointerTo(pointer, key), ''))).toEqual(keys)
      }),
    )
  })
})
