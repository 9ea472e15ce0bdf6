/**
 * Which credential a request carries. `own`: the configured one. `none`: no credential. `broken`: a made-up token. The
 * others are derived from the configured token, and a service must reject them like any invalid credential.
 */
export const credentials = [
  'own',
  'none',
  'broken',
  'shortened',
  'lengthened',
  'otherCase',
  'otherScheme',
  'empty',
  'otherAudience',
] as const

export type Credential = (typeof credentials)[number]

export function isCredential(value: unknown): value is Credential {
  return credentials.some(each => each === value)
}

/** A shorter token could be rejected or accepted by chance. */
const minTokenLength = 8

const minJwtParts = 3

/** The credentials that are almost valid: those that can be derived from a token. */
export function nearValidCredentials(token: string | undefined): readonly Credential[] {
  if (token === undefined || token.length < minTokenLength) return []
  return credentials.filter(
    credential =>
      !['own', 'none', 'broken'].includes(credential) && authorizationOf(credential, token) !== `Bearer ${token}`,
  )
}

/**
 * The `Authorization` header of a credential; absent if it has none, or cannot be derived from the token.
 *
 * @see RFC 6750, 2.1; RFC 7519, 4.1.3 (aud)
 */
export function authorizationOf(credential: Credential, token: string | undefined): string | undefined {
  if (credential === 'none') return undefined
  if (credential === 'broken') return 'Bearer not-a-token'
  if (token === undefined || token === '') return undefined
  switch (credential) {
    case 'own':
      return `Bearer ${token}`
    case 'shortened':
      return `Bearer ${token.slice(0, -1)}`
    case 'lengthened':
      return `Bearer ${token}x`
    case 'otherCase':
      return `Bearer ${inOtherCase(token)}`
    case 'otherScheme':
      return `Basic ${token}`
    case 'empty':
      return 'Bearer'
    case 'otherAudience':
      return `Bearer ${forOtherAudience(token)}`
  }
}

/** How a shell writes the `Authorization` header of a credential, with the token in `$TOKEN`. */
export function authorizationInShell(credential: Credential): string | undefined {
  switch (credential) {
    case 'own':
      return '"Authorization: Bearer $TOKEN"'
    case 'none':
      return undefined
    case 'broken':
      return "'Authorization: Bearer not-a-token'"
    case 'shortened':
      return `"Authorization: Bearer \${TOKEN%?}"`
    case 'lengthened':
      return `"Authorization: Bearer \${TOKEN}x"`
    case 'otherCase':
      return '"Authorization: Bearer $TOKEN_IN_OTHER_CASE"'
    case 'otherScheme':
      return '"Authorization: Basic $TOKEN"'
    case 'empty':
      return "'Authorization: Bearer'"
    case 'otherAudience':
      return '"Authorization: Bearer $TOKEN_WITH_OTHER_AUDIENCE"'
  }
}

/** For messages: `with a token that lacks its last character`. */
export const credentialTexts: Readonly<Record<Exclude<Credential, 'own'>, string>> = {
  none: 'without a credential',
  broken: 'with an invalid credential',
  shortened: 'with a token that lacks its last character',
  lengthened: 'with a token that has one more character',
  otherCase: 'with a token in another letter case',
  otherScheme: 'with the token under the scheme Basic',
  empty: 'with an empty Bearer credential',
  otherAudience: 'with a token whose audience was changed',
}

/** Unchanged if it has no letters, or if it is hexadecimal, where letter case may have no meaning. */
function inOtherCase(token: string): string {
  if (/^[0-9a-f-]+$/i.test(token)) return token
  return token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase()
}

/** A JSON Web Token with another audience and the same signature; unchanged if the token is not one. */
function forOtherAudience(token: string): string {
  const [header = '', payload = '', ...signature] = token.split('.')
  if (signature.length !== minJwtParts - 2) return token
  const claims = parseClaims(payload)
  if (claims === undefined) return token
  const changed = JSON.stringify({ ...claims, aud: 'https://another-audience.example/' })
  return [header, Buffer.from(changed).toString('base64url'), ...signature].join('.')
}

function parseClaims(payload: string): object | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? claims : undefined
  } catch {
    return undefined
  }
}
