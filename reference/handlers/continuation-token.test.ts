import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../../runtime/query/index.js'
import { RequestFault } from '../../runtime/server/index.js'
import { noReplacements } from '../../runtime/server/planning/query-plan.js'
import { type ContinuedCall, pageStart, pageToken, type TokenSigner, tokenSigner } from './continuation-token.js'

const { options } = parseQueryOptions("$filter=name eq 'a'&$top=2")
const call: ContinuedCall = {
  route: { name: 'listSamples' },
  keys: { id: '1' },
  principal: { id: 'ada', scopes: [] },
  template: { options, replacements: noReplacements },
}
const last = ['b', 3] as const

/** Signs, and counts how often. */
function counting(secret: string): TokenSigner & { readonly sealed: () => number } {
  const sealer = tokenSigner({ id: '0a5aa21e', secret })
  let sealed = 0
  const seal = (content: unknown): string => {
    sealed++
    return sealer.sign(content)
  }
  return { sign: seal, verify: sealer.verify, sealed: () => sealed }
}

describe('the token of a page', () => {
  it('is signed once for who asks for the same page again', () => {
    const sealer = counting('once')
    const token = pageToken(last, undefined, call, sealer)
    expect(pageToken(last, undefined, call, sealer)).toBe(token)
    expect(sealer.sealed()).toBe(1)
    expect(pageStart(token, call, sealer)).toEqual({ after: last, left: undefined })
  })

  it.each<[string, Partial<ContinuedCall>]>([
    ['another caller', { principal: { id: 'bea', scopes: [] } }],
    ['another path', { keys: { id: '2' } }],
    ['another route', { route: { name: 'listOthers' } }],
  ])('is no token of %s', (_name, other) => {
    const sealer = counting('others')
    const token = pageToken(last, undefined, call, sealer)
    const others = pageToken(last, undefined, { ...call, ...other }, sealer)
    expect(others).not.toBe(token)
    expect(pageToken(last, undefined, call, sealer)).toBe(token)
    expect(() => pageStart(others, call, sealer)).toThrow(RequestFault)
  })

  it.each([
    ['behind another item', ['b', 4], undefined],
    ['with fewer items left', last, 7],
  ])('is another one %s', (_name, behind, left) => {
    const sealer = counting('places')
    const token = pageToken(last, undefined, call, sealer)
    const other = pageToken(behind, left, call, sealer)
    expect(other).not.toBe(token)
    expect(pageStart(other, call, sealer)).toEqual({ after: behind, left })
  })

  it('is no token of another store', () => {
    const token = pageToken(last, undefined, call, counting('one'))
    expect(pageToken(last, undefined, call, counting('another'))).not.toBe(token)
  })

  it('keeps what is infinite', () => {
    const sealer = counting('infinite')
    const token = pageToken([Number.POSITIVE_INFINITY, null], undefined, call, sealer)
    expect(pageStart(token, call, sealer).after).toEqual([Number.POSITIVE_INFINITY, null])
  })
})

const sealer = tokenSigner({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'secret' })
const content = { after: ['ä', null, 1.5, true] }

describe('a token', () => {
  it('opens to what was sealed', () => {
    expect(sealer.verify(sealer.sign(content))).toEqual({ content })
  })

  it('that was changed anywhere does not open', () => {
    const token = sealer.sign(content)
    for (let index = 9; index < token.length; index++) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      const opened = sealer.verify(changed)
      // The last digit of base64 has bits that say nothing.
      if (index < token.length - 1 && token[index] !== '.') expect(opened).toBe('malformed')
    }
  })

  it('opens in another process, which did not seal it, and again', () => {
    const other = tokenSigner({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'secret' })
    const token = sealer.sign(content)
    expect([other.verify(token), other.verify(token)]).toEqual([{ content }, { content }])
  })

  it('opens to what is the opener’s own, whatever was done to what was sealed', () => {
    const list = ['a']
    const token = sealer.sign({ list })
    list.push('b')
    expect(sealer.verify(token)).toEqual({ content: { list: ['a'] } })
  })

  it('opens when many others were sealed since', () => {
    const token = sealer.sign(content)
    for (let number = 0; number < 2000; number++) sealer.sign({ number })
    expect(sealer.verify(token)).toEqual({ content })
  })

  it('of another store, or with another secret, does not open', () => {
    const other = tokenSigner({ id: 'ffff0000-0000-4000-8000-000000000000', secret: 'secret' })
    expect(sealer.verify(other.sign(content))).toBe('foreign')
    const forged = tokenSigner({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'guess' })
    expect(sealer.verify(forged.sign(content))).toBe('malformed')
  })

  it.each(['', '.', '..', 'x', 'a.b.c', '0123abcd', '0123abcd.', '0123abcd..', '0123abcd.e30.', '0123abcd.e30.x.y'])(
    'is not %j',
    text => {
      expect(sealer.verify(text)).toBe('malformed')
    },
  )
})
