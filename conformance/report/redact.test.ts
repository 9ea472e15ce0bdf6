import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, encodedForms, secretsOf } from './redact.js'

const odd = `pa"ss\\w/ö'r d&<1>`

describe('a redactor', () => {
  it.each<[string, string]>([
    ['as it is', odd],
    ['percent-encoded', encodeURIComponent(odd)],
    ['in lower-case percent codes', encodeURIComponent(odd).replaceAll(/%../g, code => code.toLowerCase())],
    ['in a form', String(new URLSearchParams({ a: odd })).slice(2)],
    ['in JSON', JSON.stringify({ a: odd })],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ a: odd }))],
    ['in HTML', odd.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
    ['in base64', Buffer.from(odd).toString('base64')],
    ['in base64url', Buffer.from(odd).toString('base64url')],
  ])('removes a secret %s', (_, text) => {
    const clean = createRedactor([odd])(`before ${text} after`)
    expect(clean).toContain('‹redacted›')
    expect(clean).not.toMatch(/pa.{0,3}ss|cGEi/)
    expect(clean).toMatch(/^before .* after$/)
  })

  it('removes every form of any secret from any text', () => {
    const secret = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }).filter(each => /^\S+$/.test(each))
    fc.assert(
      fc.property(secret, fc.string(), fc.nat(), (token, text, which) => {
        const forms = encodedForms(token)
        const form = forms[which % forms.length] ?? token
        expect(createRedactor([token])(`${text} ${form}${text}`)).not.toContain(form)
      }),
    )
  })

  it('removes the beginning of a secret at the end of a truncated text', () => {
    const redact = createRedactor(['abcdefghijklmnop'])
    expect(redact('token abcdefghijk')).toBe('token ‹redacted›')
    expect(redact('abcdefghijk… and on')).toBe('‹redacted›… and on')
    expect(redact('abcdefghijk...')).toBe('‹redacted›...')
    expect(redact('abcdefghijk is another word')).toBe('abcdefghijk is another word')
    expect(redact('abcdefg')).toBe('abcdefg')
  })

  it('removes a short secret as a word, but not inside a word', () => {
    const redact = createRedactor(['open'])
    expect(redact('"open" Bearer%20open \\nopen opened reopen')).toBe(
      '"‹redacted›" Bearer%20‹redacted› \\n‹redacted› opened reopen',
    )
  })

  it('keeps very short secrets and JSON keywords', () => {
    const text = '{"a":true,"b":null,"t":"abc"}'
    expect(createRedactor(['t', 'abc', 'true', 'NULL', ''])(text)).toBe(text)
    expect(createRedactor(['Bearer t'])('Bearer token, Bearer t')).toBe('Bearer token, ‹redacted›')
  })
})

describe('the secrets of a run', () => {
  it('are the token and the values of headers', () => {
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
