import { describe, expect, it } from 'vitest'
import { OptionsError } from '../options.js'
import { openTarget } from './target.js'

describe('a target', () => {
  it.each(['nonsense', 'ftp://host/', 'http://user:secret@host/v1.0'])('is not %s', text => {
    expect(() => openTarget(text, 'v1.0')).toThrow(OptionsError)
  })

  it.each([
    ['http://host/v1.0?code=s3cret', 'query'],
    ['http://host/v1.0/#s3cret', 'fragment'],
  ])('is not %s: the error does not repeat it, and nothing is dropped silently', (text, part) => {
    const read = (): unknown => openTarget(new URL(text), 'v1.0')
    expect(read).toThrow(OptionsError)
    expect(read).toThrow(new RegExp(`contains a ${part}.*give it as a header`))
    expect(read).not.toThrow(/s3cret/)
  })

  it('has a root without a trailing slash', () => {
    expect(openTarget('http://host:1/v1.0//', 'v1.0')).toMatchObject({
      root: 'http://host:1/v1.0',
      origin: 'http://host:1',
    })
  })
})
