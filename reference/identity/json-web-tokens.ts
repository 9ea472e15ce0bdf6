import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { type Authenticate, type Principal, RequestFault } from '../../runtime/server/index.js'
import { bearerToken } from './bearer-token.js'
import { scopesOf } from './scopes-of.js'
import type { TokenKey } from './token-key.js'
import { verifiedTokens } from './verified-tokens.js'

/** Which tokens are taken. */
export interface TokenRules {
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
export function jsonWebTokens({ key, issuer, audience, now = Date.now, fetch }: TokenRules): Authenticate {
  const known = verifiedTokens(now)
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
async function verifier(key: TokenKey, fetch: TokenRules['fetch']): Promise<Verify> {
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
