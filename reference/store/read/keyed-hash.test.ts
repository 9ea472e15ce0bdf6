import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyedHash } from './keyed-hash.js'

const secret = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 64 })
const text = fc.string({ unit: 'binary' })

describe('a keyed hash', () => {
  it('is the HMAC with SHA-256 of every text under every key', () => {
    fc.assert(
      fc.property(secret, fc.array(text), (key, texts) => {
        const hashed = keyedHash(key)
        for (const each of texts) {
          expect(hashed(each)).toBe(createHmac('sha256', key).update(each).digest('base64url'))
        }
      }),
    )
  })

  it.each([
    ['an empty key', ''],
    ['a key longer than a block', 'x'.repeat(65)],
    ['a key that is not ASCII', 'schlüssel'],
  ])('is not made with %s', (_name, key) => {
    expect(() => keyedHash(key)).toThrow(TypeError)
  })
})
