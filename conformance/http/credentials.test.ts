import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authorizationOf, credentials, nearValidCredentials } from './credentials.js'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = `${part({ alg: 'RS256' })}.${part({ aud: 'api', sub: 'ann' })}.c2lnbmF0dXJl`

describe('near-valid credentials', () => {
  it.each([
    ['an opaque token', 'Secret-token-1', ['shortened', 'lengthened', 'otherCase', 'otherScheme', 'empty']],
    ['a hexadecimal token', '0123456789abcdef', ['shortened', 'lengthened', 'otherScheme', 'empty']],
    ['a JSON Web Token', jwt, ['shortened', 'lengthened', 'otherCase', 'otherScheme', 'empty', 'otherAudience']],
    ['a short token', 'secret', []],
    ['no token', undefined, []],
  ])('of %s', (_, token, expected) => {
    expect(nearValidCredentials(token)).toEqual(expected)
  })

  it('never are the valid one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.constant(jwt)), token => {
        const near = nearValidCredentials(token).map(each => authorizationOf(each, token))
        expect(near).not.toContain(`Bearer ${token}`)
      }),
    )
  })

  it('keep the signature of a token whose audience they change', () => {
    const [header, payload = '', signature] = (authorizationOf('otherAudience', jwt) ?? '')
      .replace('Bearer ', '')
      .split('.')
    expect([header, signature]).toEqual([part({ alg: 'RS256' }), 'c2lnbmF0dXJl'])
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: 'ann' })
  })

  it('need a token', () => {
    expect(credentials.map(each => authorizationOf(each, undefined))).toEqual(
      credentials.map(each => (each === 'broken' ? 'Bearer not-a-token' : undefined)),
    )
  })
})
