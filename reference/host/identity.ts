import { timingSafeEqual } from 'node:crypto'
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import {
  type Authenticate,
  boundedMap,
  type Principal,
  RequestFault,
  type RequestHead,
} from '../../runtime/server/index.js'

/** No token that anybody issues is longer, and headers of that length are refused by many servers. */
const longestToken = 16_384

const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * The bearer token of a request; undefined when it has none.
 *
 * @see RFC 6750, 2.1
 */
export function bearerToken({ headers }: RequestHead): string | undefined {
  const authorization = headers.get('authorization')
  if (authorization === null || authorization.length > longestToken) return undefined
  return credentials.exec(authorization)?.[1]
}

/**
 * The permission scopes of a token: `scp` or `scope`, a list or text with spaces between, and the application's `roles`.
 *
 * @see RFC 8693, 4.2 (scope)
 */
export function scopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const scopes = ['scp', 'scope', 'roles'].flatMap(name => {
    const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
    if (typeof claim === 'string') return claim.split(' ').filter(scope => scope !== '')
    return Array.isArray(claim) ? claim.filter(scope => typeof scope === 'string') : []
  })
  return [...new Set(scopes)]
}

/** Tokens verified a moment ago. Checking a signature takes longer than many queries. */
interface VerifiedTokenCache {
  readonly get: (token: string) => Principal | undefined
  /** @param expires milliseconds since 1970 */
  readonly add: (token: string, principal: Principal, expires: number) => void
}

/** The longest time, in milliseconds, that a token stays trusted after its key was withdrawn. */
const cacheLifetime = 60_000
const maxCachedTokens = 1_000

/** @param now milliseconds since 1970 */
function verifiedTokenCache(now: () => number): VerifiedTokenCache {
  const tokens = boundedMap<{ readonly principal: Principal; readonly until: number }>(maxCachedTokens)
  return {
    get: token => {
      const cached = tokens.get(token)
      return cached !== undefined && now() < cached.until ? cached.principal : undefined
    },
    add: (token, principal, expires) =>
      tokens.set(token, { principal, until: Math.min(expires, now() + cacheLifetime) }),
  }
}

/** Which tokens are taken. */
export interface JwtOptions {
  readonly key: TokenKey
  /** `iss` that a token must have. */
  readonly issuer?: string
  /** `aud` that a token must have. */
  readonly audience?: string
  /** Milliseconds since 1970. Default: the computer's clock. */
  readonly now?: () => number
  /** Fetches the key set. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Signatures that are taken from a key set: none that a public key could forge as a secret. */
const publicAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Seconds that clocks may differ by. */
const clockTolerance = 5

/**
 * Takes bearer tokens that are JSON Web Tokens, signed, in their time, with a subject and an end. The subject is the
 * principal. Answers 503 when the issuer's keys cannot be had.
 *
 * @see RFC 7519 (JSON Web Token), RFC 8725 (best practices)
 */
export function jwtAuthentication({ key, issuer, audience, now = Date.now, fetch }: JwtOptions): Authenticate {
  const known = verifiedTokenCache(now)
  let verifying: Promise<Verify> | undefined
  const options = (): JWTVerifyOptions => ({
    algorithms: key.kind === 'secret' ? ['HS256'] : publicAlgorithms,
    requiredClaims: ['sub', 'exp'],
    clockTolerance,
    currentDate: new Date(now()),
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  })

  const verify = async (token: string): Promise<Principal | undefined> => {
    verifying ??= verifier(key, fetch)
    const claims = await (await verifying)(token, options())
    if (claims === undefined) return undefined
    const { sub, exp } = claims
    if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') return undefined
    const principal = { id: sub, scopes: scopesOf(claims) }
    known.add(token, principal, exp * 1000)
    return principal
  }

  return request => {
    const token = bearerToken(request)
    return token === undefined ? undefined : (known.get(token) ?? verify(token))
  }
}

/** The claims of a token; undefined for one that is not to be trusted. */
type Verify = (token: string, options: JWTVerifyOptions) => Promise<Readonly<Record<string, unknown>> | undefined>

/** The library is loaded when the first token comes. */
async function verifier(key: TokenKey, fetch: JwtOptions['fetch']): Promise<Verify> {
  const { createRemoteJWKSet, customFetch, errors, jwtVerify } = await import('jose')
  const secret = key.kind === 'secret' ? new TextEncoder().encode(key.secret) : undefined
  const custom = fetch === undefined ? {} : { [customFetch]: fetch }
  const keys: JWTVerifyGetKey | undefined = key.kind === 'jwks' ? createRemoteJWKSet(key.url, custom) : undefined
  return async (token, options) => {
    try {
      if (secret !== undefined) return (await jwtVerify(token, secret, options)).payload
      return keys === undefined ? undefined : (await jwtVerify(token, keys, options)).payload
    } catch (error) {
      const untrusted = error instanceof errors.JOSEError && !unreachable.has(error.code)
      if (untrusted) return undefined
      throw new RequestFault('serviceUnavailable', {
        headers: { 'retry-after': '30' },
        values: { reason: 'The keys that tokens are checked with cannot be had.' },
      })
    }
  }
}

/** What the library says when it got no key set, or none that it can read. */
const unreachable = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

/** What the signature of a JSON Web Token is checked with. */
export type TokenKey =
  /** Shared with whoever issues tokens, HS256; 32 bytes at least. */
  | { readonly kind: 'secret'; readonly secret: string }
  /** Where the issuer publishes its keys. @see RFC 7517, 5 (JWK Set) */
  | { readonly kind: 'jwks'; readonly url: URL }

/** Bytes that a secret for HS256 must have. @see RFC 7518, 3.2 */
export const minSecretBytes = 32

/** Takes one fixed token, which means nothing by itself, for one principal. How long a wrong one takes tells nothing. */
export function fixedTokenAuthentication(token: string, principal: Principal): Authenticate {
  const expected = Buffer.from(token)
  const bytes = Buffer.alloc(expected.length)
  return request => {
    const given = bearerToken(request)
    if (given === undefined) return undefined
    // As many bytes are compared whatever was given; a bearer token has one for each character.
    bytes.write(given, 'latin1')
    return timingSafeEqual(bytes, expected) && given.length === expected.length ? principal : undefined
  }
}

/** Takes a credential that any of several takes, asked one after the other. */
export function firstAuthenticated(ways: readonly Authenticate[]): Authenticate {
  return async request => {
    for (const way of ways) {
      const principal = await way(request)
      if (principal !== undefined) return principal
    }
    return undefined
  }
}

/**
 * Makes a token for local work that `jsonWebTokens` takes with the same secret.
 *
 * @param lifetime in seconds
 * @param now milliseconds since 1970
 */
export async function mintToken(principal: Principal, secret: string, lifetime: number, now: number): Promise<string> {
  const { SignJWT } = await import('jose')
  const issued = Math.floor(now / 1000)
  return new SignJWT({ scp: principal.scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(principal.id)
    .setIssuedAt(issued)
    .setExpirationTime(issued + lifetime)
    .sign(new TextEncoder().encode(secret))
}
