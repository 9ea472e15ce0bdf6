import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../../runtime/query/index.js'
import { RequestFault } from '../../runtime/server/index.js'
import { ownLiterals } from '../../runtime/server/query/query-template.js'
import { type TokenSealer, tokenSealer } from '../store/read/token.js'
import { pageStart, pageToken } from './page-token.js'
import type { ContinuedCall } from './query-hash.js'

const { options } = parseQueryOptions("$filter=name eq 'a'&$top=2")
const call: ContinuedCall = {
  route: { name: 'listSamples' },
  keys: { id: '1' },
  principal: { id: 'ada', scopes: [] },
  template: { options, literals: ownLiterals },
}
const last = ['b', 3] as const

/** Signs, and counts how often. */
function counting(secret: string): TokenSealer & { readonly sealed: () => number } {
  const sealer = tokenSealer({ id: '0a5aa21e', secret })
  let sealed = 0
  const seal = (content: unknown): string => {
    sealed++
    return sealer.seal(content)
  }
  return { seal, open: sealer.open, sealed: () => sealed }
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
