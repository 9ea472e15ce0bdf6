import { timingSafeEqual } from 'node:crypto'
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import {
  type Authenticate,
  boundedMap,
  type Principal,
  RequestFault,
  type RequestHead,
} from '../../runtime/server/index.js'

/** No issuer makes longer tokens, and many servers refuse longer headers. */
const maxTokenLength = 16_384

const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * The bearer token of a request; undefined if there is none.
 *
 * @see RFC 6750, 2.1
 */
export function bearerToken({ headers }: RequestHead): string | undefined {
  const authorization = headers.get('authorization')
  if (authorization === null || authorization.length > maxTokenLength) return undefined
  return credentials.exec(authorization)?.[1]
}

/**
 * The permission scopes of a token: `scp` or `scope` (a list, or text with spaces), and the application's `roles`.
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

/** Which tokens are accepted. */
interface JwtOptions {
  readonly key: TokenKey
  /** The required `iss` claim. */
  readonly issuer?: string
  /** The required `aud` claim. */
  readonly audience?: string
  /** Milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number
  /** Fetches the key set. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** The algorithms that a key set may use. HMAC is not among them: an attacker could use a public key as its secret. */
const publicAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** The tolerated clock difference in seconds. */
const clockTolerance = 5

/**
 * Accepts signed JSON Web Tokens that are valid now and have a subject and an expiry. The subject is the principal. Answers
 * 503 if the keys of the issuer are unavailable.
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
    const { sub, exp, nbf = 0, iat = 0 } = claims
    if (typeof sub !== 'string' || sub === '' || !isTime(exp) || !isTime(nbf) || !isTime(iat)) return undefined
    const principal = { id: sub, scopes: scopesOf(claims) }
    known.add(token, principal, exp * 1000)
    return principal
  }

  return request => {
    const token = bearerToken(request)
    return token === undefined ? undefined : (known.get(token) ?? verify(token))
  }
}

/** A `NumericDate`. JSON can contain numbers that are none, such as `1e400`, which is infinite. */
const isTime = (claim: unknown): claim is number => typeof claim === 'number' && Number.isFinite(claim)

/** The claims of a token; undefined if the token is not trusted. */
type Verify = (token: string, options: JWTVerifyOptions) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Loads the library when the first token arrives. */
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
        values: { reason: 'The keys that verify tokens are unavailable.' },
      })
    }
  }
}

/** The errors of the library for a key set that is unavailable or unreadable. */
const unreachable = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

/** The key that verifies the signature of a JSON Web Token. */
type TokenKey =
  /** A secret shared with the issuer, for HS256. At least 32 bytes. */
  | { readonly kind: 'secret'; readonly secret: string }
  /**
   * The URL at which the issuer publishes its keys.
   *
   * @see RFC 7517, 5 (JWK Set)
   */
  | { readonly kind: 'jwks'; readonly url: URL }

/**
 * The minimum length of a secret for HS256, in bytes.
 *
 * @see RFC 7518, 3.2
 */
export const minSecretBytes = 32

/** Accepts one fixed, opaque token for one principal. The comparison takes constant time. */
export function fixedTokenAuthentication(token: string, principal: Principal): Authenticate {
  const expected = Buffer.from(token)
  const bytes = Buffer.alloc(expected.length)
  return request => {
    const given = bearerToken(request)
    if (given === undefined) return undefined
    // Compare a constant number of bytes. Each character of a bearer token is one byte.
    bytes.write(given, 'latin1')
    return timingSafeEqual(bytes, expected) && given.length === expected.length ? principal : undefined
  }
}

/** Accepts a credential that any of several methods accepts. Tries them in order. */
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
 * Issues a token for local development. `jwtAuthentication` accepts it if it has the same secret.
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
