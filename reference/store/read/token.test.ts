import { describe, expect, it } from 'vitest'
import { tokenSealer } from './token.js'

const sealer = tokenSealer({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'secret' })
const content = { after: ['ä', null, 1.5, true] }

describe('a token', () => {
  it('opens to what was sealed', () => {
    expect(sealer.open(sealer.seal(content))).toEqual({ content })
  })

  it('that was changed anywhere does not open', () => {
    const token = sealer.seal(content)
    for (let index = 9; index < token.length; index++) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      const opened = sealer.open(changed)
      // The last digit of base64 has bits that say nothing.
      if (index < token.length - 1 && token[index] !== '.') expect(opened).toBe('malformed')
    }
  })

  it('opens in another process, which did not seal it, and again', () => {
    const other = tokenSealer({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'secret' })
    const token = sealer.seal(content)
    expect([other.open(token), other.open(token)]).toEqual([{ content }, { content }])
  })

  it('opens to what is the opener’s own, whatever was done to what was sealed', () => {
    const list = ['a']
    const token = sealer.seal({ list })
    list.push('b')
    expect(sealer.open(token)).toEqual({ content: { list: ['a'] } })
  })

  it('opens when many others were sealed since', () => {
    const token = sealer.seal(content)
    for (let number = 0; number < 2000; number++) sealer.seal({ number })
    expect(sealer.open(token)).toEqual({ content })
  })

  it('of another store, or with another secret, does not open', () => {
    const other = tokenSealer({ id: 'ffff0000-0000-4000-8000-000000000000', secret: 'secret' })
    expect(sealer.open(other.seal(content))).toBe('foreign')
    const forged = tokenSealer({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'guess' })
    expect(sealer.open(forged.seal(content))).toBe('malformed')
  })

  it.each(['', '.', '..', 'x', 'a.b.c', '0123abcd', '0123abcd.', '0123abcd..', '0123abcd.e30.', '0123abcd.e30.x.y'])(
    'is not %j',
    text => {
      expect(sealer.open(text)).toBe('malformed')
    },
  )
})
