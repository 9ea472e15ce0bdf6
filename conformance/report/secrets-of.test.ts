import { describe, expect, it } from 'vitest'
import { secretsOf } from './secrets-of.js'

describe('the secrets of a run', () => {
  it('are the token and what the headers hold', () => {
    const headers = {
      'X-Key': ' k1 ',
      Authorization: 'Bearer abc',
      'Proxy-Authorization': `Basic ${Buffer.from('me:pass:word').toString('base64')}`,
      Cookie: 'a=first; b=sec=ond',
      Accept: 'application/json',
      'Accept-Language': 'de',
      Prefer: 'return=minimal',
    }
    const secrets = secretsOf({ token: 'tok', headers })
    for (const each of ['tok', 'Bearer tok', 'k1', 'Bearer abc', 'abc', 'me:pass:word', 'pass:word']) {
      expect(secrets).toContain(each)
    }
    for (const each of ['a=first; b=sec=ond', 'first', 'sec=ond']) expect(secrets).toContain(each)
    for (const each of ['application/json', 'de', 'return=minimal']) expect(secrets).not.toContain(each)
    expect(secretsOf({})).toEqual([])
  })
})
