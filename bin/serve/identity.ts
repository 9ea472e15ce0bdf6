import { randomBytes } from 'node:crypto'
import type { Authenticate, Principal } from '../../runtime/server/index.js'
import type { Service } from '../../spec/language/index.js'
import { UsageError } from '../usage-error.js'
import type { ServeFlags } from './serve-flags.js'

/** Who may call, and how. */
export interface Identity {
  readonly authenticate: Authenticate
  /** A token made for this run, for whoever started it. */
  readonly minted?: string
}

/** Seconds for which a minted token holds. */
const lifetime = 30 * 86_400

/**
 * How callers are told apart: by a fixed token, by JSON Web Tokens, or by one that is made now when neither was asked
 * for. Undefined for a service without authentication.
 *
 * @param id whom the fixed token, or the one made now, stands for; undefined: nobody of the data
 */
export async function identityOf(
  service: Service,
  flags: ServeFlags,
  id: string | undefined,
): Promise<Identity | undefined> {
  if (service.authentication.scheme === 'none') return undefined
  const { either } = await import('../../reference/identity/either.js')
  const { jsonWebTokens } = await import('../../reference/identity/json-web-tokens.js')
  const { opaqueToken } = await import('../../reference/identity/opaque-token.js')
  const { shortestSecret } = await import('../../reference/identity/token-key.js')
  const { token, secret, jwks, issuer, audience } = flags
  if (secret !== undefined && Buffer.byteLength(secret) < shortestSecret) {
    throw new UsageError(`A secret for HS256 has ${shortestSecret} bytes at least; this one can be guessed.`)
  }
  // A token must have a subject, even where no path asks who calls.
  const everything: Principal = { id: id ?? 'nobody', scopes: service.authentication.scopes.map(({ name }) => name) }
  const rules = { ...(issuer === undefined ? {} : { issuer }), ...(audience === undefined ? {} : { audience }) }
  const ways: Authenticate[] = []
  if (token !== undefined) ways.push(opaqueToken(token, everything))
  if (secret !== undefined) ways.push(jsonWebTokens({ ...rules, key: { kind: 'secret', secret } }))
  if (jwks !== undefined) ways.push(jsonWebTokens({ ...rules, key: { kind: 'jwks', url: jwks } }))
  const [only] = ways
  if (only !== undefined) return { authenticate: ways.length === 1 ? only : either(ways) }

  const { mintToken } = await import('../../reference/identity/mint-token.js')
  const own = randomBytes(32).toString('base64url')
  const minted = await mintToken(everything, own, lifetime, Date.now())
  return { authenticate: jsonWebTokens({ key: { kind: 'secret', secret: own } }), minted }
}
