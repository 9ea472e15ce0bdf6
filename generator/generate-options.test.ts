import { describe, expect, it } from 'vitest'
import { importExtensions, withExtension } from './generate-options.js'

describe('the extension of imports', () => {
  it('replaces .js, and nothing else', () => {
    expect(importExtensions.map(extension => withExtension('./a.js/b.js', extension))).toEqual([
      './a.js/b.js',
      './a.js/b.ts',
      './a.js/b',
    ])
  })

  it.each(['.ts', '', 'mjs', 1, null])('rejects other values, which JavaScript code may pass: %j', given => {
    expect(() => Reflect.apply(withExtension, undefined, ['./a.js', given])).toThrow(
      `importExtension: found ${JSON.stringify(given)}, expected one of js, ts, none`,
    )
  })
})
