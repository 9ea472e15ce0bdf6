import { describe, expect, it } from 'vitest'
import { importExtensions, withExtension } from './generate-options.js'

describe('the extension of imports', () => {
  it('stands in place of .js, and nowhere else', () => {
    expect(importExtensions.map(extension => withExtension('./a.js/b.js', extension))).toEqual([
      './a.js/b.js',
      './a.js/b.ts',
      './a.js/b',
    ])
  })

  it.each(['.ts', '', 'mjs', 1, null])('is none of others, which JavaScript may give: %j', given => {
    expect(() => Reflect.apply(withExtension, undefined, ['./a.js', given])).toThrow(
      `importExtension: found ${JSON.stringify(given)}, expected one of js, ts, none`,
    )
  })
})
