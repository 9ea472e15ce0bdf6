import { base64url, CompactSign, type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Principal, RequestFault, type RequestHead } from '../../runtime/server/index.js'
import {
  bearerToken,
  firstAuthenticated,
  fixedTokenAuthentication,
  jwtAuthentication,
  mintToken,
  scopesOf,
} from './identity.js'

const secret = 'a secret that has thirty-two bytes'
const now = Date.UTC(2026, 1, 27, 12)
const seconds = now / 1000

const head = (authorization?: string): RequestHead =>
  new Request('http://sample.example/', { headers: authorization === undefined ? {} : { authorization } })

const asked = async (authenticate: (request: RequestHead) => unknown, token: string): Promise<unknown> =>
  authenticate(head(`Bearer ${token}`))

describe('the bearer token', () => {
  it.each<[authorization: string | undefined, token: string | undefined]>([
    ['Bearer abc.def-1_2~3+/==', 'abc.def-1_2~3+/=='],
    ['bearer abc', 'abc'],
    ['BEARER   abc  ', 'abc'],
    [undefined, undefined],
    ['', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['Bearer a,b', undefined],
    ['Basic YTpi', undefined],
    ['Bearer =', undefined],
    [`Bearer ${'a'.repeat(20_000)}`, undefined],
  ])('of %j is %j', (authorization, token) => {
    expect(bearerToken(head(authorization))).toBe(token)
  })
})

describe('the scopes of a token', () => {
  it.each<[claims: Record<string, unknown>, scopes: readonly string[]]>([
    [{ scp: 'A.Read B.Write' }, ['A.Read', 'B.Write']],
    [{ scp: ['A.Read', 7, 'B.Write'] }, ['A.Read', 'B.Write']],
    [{ scope: ' A.Read  B.Write ' }, ['A.Read', 'B.Write']],
    [{ roles: ['A.Read'], scope: 'A.Read C' }, ['A.Read', 'C']],
    [{ scp: null, scope: {}, roles: 'A' }, ['A']],
    [{}, []],
  ])('%j are %j', (claims, scopes) => {
    expect(scopesOf(claims).toSorted()).toEqual(scopes.toSorted())
  })
})

describe('a fixed token', () => {
  const ann: Principal = { id: 'ann', scopes: ['A'] }
  const authenticate = fixedTokenAuthentication('let-me-in', ann)

  it.each<[token: string, principal: Principal | undefined]>([
    ['let-me-in', ann],
    ['let-me-i', undefined],
    ['let-me-in-', undefined],
    ['LET-ME-IN', undefined],
  ])('%s is %j', async (token, principal) => {
    expect(await asked(authenticate, token)).toBe(principal)
  })

  it('can be combined with other methods', async () => {
    const bob: Principal = { id: 'bob', scopes: [] }
    const both = firstAuthenticated([authenticate, fixedTokenAuthentication('me-too', bob)])
    expect(await asked(both, 'let-me-in')).toBe(ann)
    expect(await asked(both, 'me-too')).toBe(bob)
    expect(await asked(both, 'nor-me')).toBeUndefined()
  })
})

describe('JSON Web Tokens with a secret', () => {
  const rules = { key: { kind: 'secret', secret }, now: () => now } as const
  const sign = (claims: Record<string, unknown>, { alg = 'HS256', key = secret } = {}): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))
  const good = { sub: 'ann', scp: 'A', exp: seconds + 60 }
  /** Signs claims that `JSON.stringify` does not write. */
  const signText = (claims: string): Promise<string> =>
    new CompactSign(new TextEncoder().encode(claims))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))

  it.each<[rule: string, token: () => Promise<string> | string, principal: Principal | undefined]>([
    ['a sound one is taken', () => sign(good), { id: 'ann', scopes: ['A'] }],
    [
      'a minted one is taken',
      () => mintToken({ id: 'bob', scopes: ['A', 'B'] }, secret, 60, now),
      { id: 'bob', scopes: ['A', 'B'] },
    ],
    [
      'one that has just ended is taken, since clocks differ',
      () => sign({ ...good, exp: seconds - 4 }),
      { id: 'ann', scopes: ['A'] },
    ],
    ['one that has ended is not', () => sign({ ...good, exp: seconds - 6 }), undefined],
    ['one that begins later is not', () => sign({ ...good, nbf: seconds + 60 }), undefined],
    ['one without an end is not', () => sign({ sub: 'ann' }), undefined],
    ['one whose end is no number but infinite is not', () => signText(`{"sub":"ann","exp":1e400}`), undefined],
    [
      'one that begins at an infinite time is not',
      () => signText(`{"sub":"ann","exp":${seconds + 60},"nbf":-1e400}`),
      undefined,
    ],
    ['one without a subject is not', () => sign({ exp: seconds + 60 }), undefined],
    ['one with an empty subject is not', () => sign({ ...good, sub: '' }), undefined],
    ['one with another secret is not', () => sign(good, { key: secret.toUpperCase() }), undefined],
    ['one with another algorithm is not', () => sign(good, { alg: 'HS512', key: secret.repeat(2) }), undefined],
    ['one without a signature is not', () => new UnsecuredJWT(good).encode(), undefined],
    [
      'one that was changed is not',
      async () =>
        (await sign(good)).replace(/^[^.]+\.[^.]+/, `${part({ alg: 'HS256' })}.${part({ ...good, sub: 'eve' })}`),
      undefined,
    ],
    [
      'one with claims that are not understood is not',
      async () => `${part({ alg: 'HS256', crit: ['x'], x: 1 })}.${part(good)}.AAAA`,
      undefined,
    ],
    ['what is no token is not', () => 'abc', undefined],
    ['what looks like one is not', () => 'a.b.c', undefined],
  ])('%s', async (_rule, token, principal) => {
    expect(await asked(jwtAuthentication(rules), await token())).toEqual(principal)
  })

  it('must have the required issuer and audience', async () => {
    const strict = jwtAuthentication({ ...rules, issuer: 'https://issuer.example', audience: 'api' })
    expect(await asked(strict, await sign({ ...good, iss: 'https://issuer.example', aud: 'api' }))).toBeDefined()
    expect(await asked(strict, await sign({ ...good, iss: 'https://other.example', aud: 'api' }))).toBeUndefined()
    expect(await asked(strict, await sign({ ...good, iss: 'https://issuer.example', aud: 'other' }))).toBeUndefined()
    expect(await asked(strict, await sign(good))).toBeUndefined()
  })

  it('are rejected after their expiry, even if they were cached', async () => {
    let clock = now
    const authenticate = jwtAuthentication({ ...rules, now: () => clock })
    const token = await sign(good)
    expect(await asked(authenticate, token)).toBeDefined()
    clock = now + 59_000
    expect(await asked(authenticate, token)).toBeDefined()
    clock = now + 66_000
    expect(await asked(authenticate, token)).toBeUndefined()
  })
})

const part = (json: unknown): string => base64url.encode(JSON.stringify(json))

describe('JSON Web Tokens with a key set', () => {
  let trusted: CryptoKey
  let stranger: CryptoKey
  let keySet: string

  beforeAll(async () => {
    const [ours, theirs] = await Promise.all([
      generateKeyPair('ES256', { extractable: true }),
      generateKeyPair('ES256'),
    ])
    trusted = ours.privateKey
    stranger = theirs.privateKey
    keySet = JSON.stringify({ keys: [{ ...(await exportJWK(ours.publicKey)), kid: 'k1', alg: 'ES256' }] })
  })

  const url = new URL('https://issuer.example/keys')
  const authenticateWith = (answer: () => Response) =>
    jwtAuthentication({ key: { kind: 'jwks', url }, now: () => now, fetch: async () => answer() })
  const sign = (key: CryptoKey): Promise<string> =>
    new SignJWT({ sub: 'ann', roles: ['A'], exp: seconds + 60 })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(key)

  it('are accepted only if a key of the set signed them', async () => {
    const authenticate = authenticateWith(() => new Response(keySet))
    expect(await asked(authenticate, await sign(trusted))).toEqual({ id: 'ann', scopes: ['A'] })
    expect(await asked(authenticate, await sign(stranger))).toBeUndefined()
  })

  it('are rejected if the public key was used as a secret', async () => {
    const authenticate = authenticateWith(() => new Response(keySet))
    const forged = await new SignJWT({ sub: 'eve', exp: seconds + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(new TextEncoder().encode(keySet))
    expect(await asked(authenticate, forged)).toBeUndefined()
  })

  it.each<[what: string, answer: () => Response]>([
    ['an error', () => new Response('', { status: 500 })],
    ['no JSON', () => new Response('<html>')],
    ['no key set', () => new Response('{"keys":7}')],
    [
      'nothing',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ])('make the service unavailable if the issuer answers with %s', async (_what, answer) => {
    const refused = asked(authenticateWith(answer), await sign(trusted))
    await expect(refused).rejects.toBeInstanceOf(RequestFault)
    await expect(refused).rejects.toMatchObject({ fault: 'serviceUnavailable' })
  })
})
